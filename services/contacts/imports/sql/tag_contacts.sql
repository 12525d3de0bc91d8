-- write(organization_id uuid, contact_ids uuid[], tag_ids uuid[])
-- What is no contact's id, as the row's contact was there already, is passed over.
INSERT INTO contact_tag (organization_id, contact_id, tag_id)
SELECT $1, bearer.contact_id, bearer.tag_id
FROM (SELECT c.id AS contact_id, given.tag_id
      FROM unnest($2, $3) AS given(contact_id, tag_id) JOIN contact c ON c.organization_id = $1 AND c.id = given.contact_id
      ORDER BY c.id, given.tag_id FOR KEY SHARE OF c) bearer
ON CONFLICT DO NOTHING
