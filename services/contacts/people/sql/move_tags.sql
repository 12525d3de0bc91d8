-- write(organization_id uuid, from_id uuid, into_id uuid)
-- A tag that was deleted may still have rows here.
INSERT INTO contact_tag (organization_id, contact_id, tag_id)
SELECT $1, $3, held.id
FROM (SELECT t.id
      FROM contact_tag x JOIN tag t ON t.organization_id = $1 AND t.id = x.tag_id
      WHERE x.organization_id = $1 AND x.contact_id = $2
      ORDER BY t.id FOR KEY SHARE OF t) held
ON CONFLICT DO NOTHING
