-- read(organization_id uuid, list_id uuid, tag_id uuid, status text, after uuid, after_name text, per_page int8, skip int8)
SELECT l.id AS "uniqueId", l.name, l.description, coalesce(y.contacts, 0) AS "numberOfContacts",
  l.campaigns_sent AS "numberOfCampaignsSent", l.created_at AS "createdAt", t.id AS tag_id, t.label AS tag_label
-- As an array, the page is a few ids to the planner, which takes an unknown LIMIT for a tenth of the table.
FROM (SELECT DISTINCT x.list_id
      FROM membership x
      WHERE x.organization_id = $1 AND x.contact_id = ANY (ARRAY(
        SELECT id FROM (SELECT c.id /*include next*/) page LIMIT $7))) seen
/*include lists_seen*/
