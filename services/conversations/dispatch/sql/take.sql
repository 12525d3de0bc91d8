-- write(owner uuid, organization_ids uuid[], phone_number_ids text[], lease int8)
-- Takes unowned numbers, for `lease` milliseconds. Takes none before an operator has told what a restored database
-- lacks: what was sent since would be sent again.
WITH old AS (
  SELECT s.organization_id, s.phone_number_id, s.owner
  FROM unnest($2, $3) AS w (organization_id, phone_number_id)
  JOIN sender s ON s.organization_id = w.organization_id AND s.phone_number_id = w.phone_number_id
  WHERE (s.owner IS NULL OR s.lease_until < now()) AND NOT is_restored()
  ORDER BY s.organization_id, s.phone_number_id
  FOR UPDATE OF s SKIP LOCKED
)
UPDATE sender s SET owner = $1, lease_until = now() + $4 * interval '1 millisecond'
FROM old
WHERE s.organization_id = old.organization_id AND s.phone_number_id = old.phone_number_id
RETURNING s.organization_id, s.phone_number_id, old.owner IS NOT NULL AS abandoned, s.stop_text IS NOT NULL AS stopped
