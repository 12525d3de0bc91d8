-- write(organization_id uuid, list_ids uuid[], campaign_id uuid)
-- The lists that the campaign has not counted for yet, held in one order with all who hold lists. Those that do not exist
-- any more are passed over.
INSERT INTO list_campaign (organization_id, list_id, campaign_id)
SELECT $1, l.id, $3
FROM (SELECT id FROM list WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE) l
ON CONFLICT DO NOTHING
RETURNING list_id
