-- write(organization_id uuid, merged_id uuid, most int8)
-- The newer state of either contact wins; emitted for the surviving contact, since contacts has forgotten the other.
WITH gone AS (
  DELETE FROM suppression s USING merged_contact g
  WHERE g.organization_id = $1 AND g.contact_id = $2 AND s.organization_id = $1 AND s.contact_id = $2 AND $3 > 0
  RETURNING g.into_id, s.opted_out, s.opted_out_at, s.blocked, s.blocked_at
), united AS (
  INSERT INTO suppression AS s (organization_id, contact_id, opted_out, opted_out_at, blocked, blocked_at)
  SELECT $1, into_id, opted_out, opted_out_at, blocked, blocked_at FROM gone
  ON CONFLICT (organization_id, contact_id) DO UPDATE
  SET opted_out = CASE WHEN s.opted_out_at < excluded.opted_out_at THEN excluded.opted_out ELSE s.opted_out END,
    opted_out_at = greatest(s.opted_out_at, excluded.opted_out_at),
    blocked = CASE WHEN s.blocked_at < excluded.blocked_at THEN excluded.blocked ELSE s.blocked END,
    blocked_at = greatest(s.blocked_at, excluded.blocked_at)
  RETURNING s.contact_id, s.opted_out, s.opted_out_at
)
SELECT u.contact_id, u.opted_out, nullif(u.opted_out_at, '-infinity') AS opted_out_at
FROM gone LEFT JOIN united u ON u.contact_id = gone.into_id
