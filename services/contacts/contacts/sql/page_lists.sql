-- read(organization_id uuid, list_id uuid, search text, status text, after uuid, per_page int8, skip int8, after_name text)
SELECT l.id AS "uniqueId", l.name, l.description, coalesce(y.contacts, 0) AS "numberOfContacts",
  l.campaigns_sent AS "numberOfCampaignsSent", l.created_at AS "createdAt", t.id AS tag_id, t.label AS tag_label
-- As an array, the page is a few ids to the planner, which takes an unknown LIMIT for a tenth of the table.
FROM (SELECT DISTINCT x.list_id
      FROM membership x
      WHERE x.organization_id = $1 AND x.contact_id = ANY (ARRAY(
        SELECT id FROM (SELECT c.id /*include matching*/) page LIMIT $6))) seen
  JOIN list l ON l.organization_id = $1 AND l.id = seen.list_id
  LEFT JOIN tally y ON y.organization_id = $1 AND y.list_id = l.id AND y.slot = 0
  LEFT JOIN (list_tag lt JOIN tag t ON t.organization_id = $1 AND t.id = lt.tag_id)
    ON lt.organization_id = $1 AND lt.list_id = l.id
ORDER BY l.id, t.id
