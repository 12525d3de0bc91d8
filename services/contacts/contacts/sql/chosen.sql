-- read(organization_id uuid, ids uuid[])
-- The contacts with these ids, in their order; without ids, those that choose has chosen in this transaction.
SELECT c.id AS "uniqueId", c.name, coalesce(c.phone, '') AS phone, c.attributes, c.created_at AS "createdAt", c.status,
  ARRAY(SELECT x.list_id FROM membership x
        WHERE x.organization_id = $1 AND x.contact_id = c.id ORDER BY x.list_id) AS list_ids,
  ARRAY(SELECT x.tag_id FROM contact_tag x
        WHERE x.organization_id = $1 AND x.contact_id = c.id ORDER BY x.tag_id) AS tag_ids
FROM unnest(/*include chosen*/) WITH ORDINALITY AS wanted (id, n)
  JOIN contact c ON c.organization_id = $1 AND c.id = wanted.id
ORDER BY wanted.n
