-- write(organization_id uuid, ids uuid[], names text[], phones text[], attributes jsonb[], statuses text[])
-- In the order of phones, as all who insert several: no two wait for each other in a circle. A number that is taken gives
-- no row.
INSERT INTO contact (organization_id, id, name, phone, attributes, status)
SELECT $1, new.id, new.name, new.phone, new.attributes, new.status
FROM unnest($2, $3, $4, $5, $6) AS new(id, name, phone, attributes, status)
ORDER BY new.phone
ON CONFLICT (organization_id, phone) WHERE phone IS NOT NULL DO NOTHING
RETURNING id
