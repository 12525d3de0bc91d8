-- write(organization_id uuid, contact_ids uuid[])
-- The channel says that these contacts want no more campaigns: those of whom that was not known.
INSERT INTO suppression AS s (organization_id, contact_id, opted_out, opted_out_at)
SELECT $1, contact_id, true, date_trunc('milliseconds', now())
FROM (SELECT DISTINCT unnest($2) AS contact_id ORDER BY 1) c
ON CONFLICT (organization_id, contact_id) DO UPDATE SET opted_out = true, opted_out_at = excluded.opted_out_at
WHERE NOT s.opted_out AND s.opted_out_at <= excluded.opted_out_at
RETURNING s.contact_id, s.opted_out_at AS at
