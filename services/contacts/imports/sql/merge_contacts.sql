-- write(organization_id uuid, ids uuid[], names text[], phones text[], attributes jsonb[], most_octets int4)
-- As add_contacts; who is there already gets the name, if there is one, and the attributes beside their own. No row comes back for
-- whom these would be too many.
INSERT INTO contact AS c (organization_id, id, name, phone, attributes)
SELECT $1, new.id, new.name, new.phone, new.attributes
FROM unnest($2, $3, $4, $5) AS new(id, name, phone, attributes)
ORDER BY new.phone
ON CONFLICT (organization_id, phone) WHERE phone IS NOT NULL DO UPDATE
SET name = CASE WHEN excluded.name = '' THEN c.name ELSE excluded.name END,
  attributes = c.attributes || excluded.attributes
WHERE octet_length((c.attributes || excluded.attributes)::text) <= $6
RETURNING c.id, c.phone
