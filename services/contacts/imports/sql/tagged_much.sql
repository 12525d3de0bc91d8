-- write(organization_id uuid, contact_ids uuid[], most int8)
-- Those that bear so many tags already.
SELECT given.id
FROM unnest($2) AS given(id)
WHERE (SELECT count(*)
       FROM (SELECT FROM contact_tag x WHERE x.organization_id = $1 AND x.contact_id = given.id LIMIT $3) x) >= $3
