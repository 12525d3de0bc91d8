-- write(organization_id uuid, campaign_id uuid, name text, list_ids uuid[], tags text[], position int8)
INSERT INTO campaign AS c (organization_id, campaign_id, name, list_ids, tags, position)
SELECT $1, $2, $3, $4, ARRAY(SELECT lower(tag) FROM unnest($5) tag), $6
WHERE NOT EXISTS (SELECT FROM removal d WHERE d.organization_id = $1 AND d.kind = 'organization')
ON CONFLICT (organization_id, campaign_id) DO UPDATE SET
  name = excluded.name, list_ids = excluded.list_ids, tags = excluded.tags, position = excluded.position
WHERE c.position < excluded.position
