-- name: lock_suppressions write(organization_id uuid, contact_ids uuid[])
-- In the order of contacts, as all that lock several.
SELECT contact_id FROM suppression
WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest($2)))
ORDER BY contact_id FOR UPDATE

-- name: suppressions read(organization_id uuid, contact_ids uuid[])
SELECT contact_id, opted_out, nullif(opted_out_at, '-infinity') AS opted_out_at, blocked,
  nullif(blocked_at, '-infinity') AS blocked_at
FROM suppression
WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest($2)))

-- name: walk read()
SELECT walk, organization_id, contact_id FROM contact_walk

-- name: begin_walk write()
INSERT INTO contact_walk DEFAULT VALUES
ON CONFLICT (single) DO UPDATE SET walk = excluded.walk, organization_id = excluded.organization_id,
  contact_id = excluded.contact_id

-- name: suppress write(organization_id uuid, contact_ids uuid[], opted_out bool[], opted_out_at timestamptz[], blocked bool[], blocked_at timestamptz[])
-- Statuses set by members, in the order of contacts, as all that write several. A NULL time leaves that status alone.
-- At the same moment, the contact's own statement wins.
INSERT INTO suppression AS s (organization_id, contact_id, opted_out, opted_out_at, blocked, blocked_at)
SELECT $1, said.contact_id, said.opted_out, coalesce(said.opted_out_at, '-infinity'), said.blocked,
  coalesce(said.blocked_at, '-infinity')
FROM unnest($2, $3, $4, $5, $6) AS said(contact_id, opted_out, opted_out_at, blocked, blocked_at)
ORDER BY said.contact_id
ON CONFLICT (organization_id, contact_id) DO UPDATE
SET opted_out = CASE WHEN s.opted_out_at < excluded.opted_out_at THEN excluded.opted_out ELSE s.opted_out END,
  opted_out_at = greatest(s.opted_out_at, excluded.opted_out_at),
  blocked = CASE WHEN s.blocked_at < excluded.blocked_at THEN excluded.blocked ELSE s.blocked END,
  blocked_at = greatest(s.blocked_at, excluded.blocked_at)

-- name: correct_blocked write(organization_id uuid, contact_id uuid, blocked bool, seen_at timestamptz)
-- Only members block, in contacts: its answer wins, unless a newer event has arrived since.
UPDATE suppression SET blocked = $3
WHERE organization_id = $1 AND contact_id = $2 AND nullif(blocked_at, '-infinity') IS NOT DISTINCT FROM $4

-- name: move_walk write(walk uuid, organization_id uuid, contact_id uuid, next_organization_id uuid, next_contact_id uuid)
UPDATE contact_walk SET organization_id = $4, contact_id = $5
WHERE walk = $1 AND organization_id = $2 AND contact_id = $3

-- name: end_walk write(walk uuid, organization_id uuid, contact_id uuid)
DELETE FROM contact_walk WHERE walk = $1 AND organization_id = $2 AND contact_id = $3

-- name: there_again write(organization_id uuid, contact_id uuid, into_id uuid)
-- The merge target had been merged into this contact before: the target exists again, as after a restored backup.
DELETE FROM merged_contact WHERE organization_id = $1 AND contact_id = $3 AND into_id = $2
