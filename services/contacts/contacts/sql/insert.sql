-- write(organization_id uuid, ids uuid[], names text[], phones text[], attributes jsonb[], statuses text[], said_at timestamptz)
-- In the order of phones, as all who insert several: no two wait for each other in a circle. A number that is taken gives
-- no row. Active is everybody of whom nothing was said yet.
INSERT INTO contact (organization_id, id, name, phone, attributes, status, status_at)
SELECT $1, new.id, new.name, new.phone, new.attributes, new.status,
  CASE new.status WHEN 'Active' THEN '-infinity' ELSE $7 END
FROM unnest($2, $3, $4, $5, $6) AS new(id, name, phone, attributes, status)
ORDER BY new.phone
ON CONFLICT (organization_id, phone) WHERE phone IS NOT NULL DO NOTHING
RETURNING id
