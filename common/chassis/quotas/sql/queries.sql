-- name: all read(organization_id uuid, names text[], usual int8[])
SELECT n.name, coalesce((SELECT q.most FROM quota q WHERE q.organization_id = $1 AND q.name = n.name), n.usual) AS "limit",
  quota_used($1, n.name) AS used
FROM unnest($2, $3) WITH ORDINALITY AS n(name, usual, place)
ORDER BY n.place

-- name: look write(organization_id uuid, name text, usual int8)
SELECT coalesce((SELECT q.most FROM quota q WHERE q.organization_id = $1 AND q.name = $2), $3) AS "limit",
  quota_used($1, $2) AS used,
  coalesce((SELECT l.percent FROM quota_level l WHERE l.organization_id = $1 AND l.name = $2), 0)::int8 AS told

-- name: take_turn write(organization_id uuid, name text)
-- Serializes the transactions of one organization that take its last places.
SELECT pg_advisory_xact_lock(hashtextextended('quota ' || $2 || ' ' || $1::text, 0)) IS NOT NULL AS held

-- name: set write(organization_id uuid, name text, most int8)
INSERT INTO quota (organization_id, name, most) VALUES ($1, $2, $3)
ON CONFLICT (organization_id, name) DO UPDATE SET most = excluded.most

-- name: unset write(organization_id uuid, name text)
DELETE FROM quota WHERE organization_id = $1 AND name = $2

-- name: note_level write(organization_id uuid, name text, percent int4)
INSERT INTO quota_level (organization_id, name, percent) VALUES ($1, $2, $3)
ON CONFLICT (organization_id, name) DO UPDATE SET percent = excluded.percent
