-- write(organization_id uuid, ids uuid[], names text[], phones text[], attributes jsonb[])
-- In the order of phones, as all who insert several: no two wait for each other in a circle.
INSERT INTO contact (organization_id, id, name, phone, attributes)
SELECT $1, new.id, new.name, new.phone, new.attributes
FROM unnest($2, $3, $4, $5) AS new(id, name, phone, attributes)
ORDER BY new.phone
ON CONFLICT (organization_id, phone) WHERE phone IS NOT NULL DO NOTHING
RETURNING id
