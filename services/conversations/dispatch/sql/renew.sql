-- write(owner uuid, organization_ids uuid[], phone_number_ids text[], lease int8)
-- Those of these numbers that are still this dispatcher's.
UPDATE sender s SET lease_until = now() + $4 * interval '1 millisecond'
FROM unnest($2, $3) AS w (organization_id, phone_number_id)
WHERE s.organization_id = w.organization_id AND s.phone_number_id = w.phone_number_id AND s.owner = $1
RETURNING s.organization_id, s.phone_number_id
