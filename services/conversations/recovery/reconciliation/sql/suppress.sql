-- write(organization_id uuid, contact_ids uuid[], opted_out bool[], opted_out_at timestamptz[], blocked bool[], blocked_at timestamptz[])
-- What members say of contacts, in the order of contacts, as all who write several. A time that is NULL says nothing. What
-- contacts said here at the same moment holds.
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
