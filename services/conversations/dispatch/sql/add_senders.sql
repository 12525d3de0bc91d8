-- write(organization_ids uuid[], phone_number_ids text[])
-- Numbers that nothing was sent from before.
INSERT INTO sender (organization_id, phone_number_id)
SELECT organization_id, phone_number_id
FROM unnest($1, $2) AS w (organization_id, phone_number_id)
ORDER BY organization_id, phone_number_id
ON CONFLICT (organization_id, phone_number_id) DO NOTHING
