-- write(organization_id uuid, id uuid)
SELECT l.id AS "uniqueId", l.name, l.description,
  coalesce((SELECT y.contacts FROM tally y WHERE y.organization_id = $1 AND y.list_id = l.id AND y.slot = 0), 0)
    AS "numberOfContacts",
  l.campaigns_sent AS "numberOfCampaignsSent", l.created_at AS "createdAt", lt.tag_id,
  (SELECT t.label FROM tag t WHERE t.organization_id = $1 AND t.id = lt.tag_id) AS tag_label
FROM list l
  LEFT JOIN list_tag lt ON lt.organization_id = $1 AND lt.list_id = l.id
WHERE l.organization_id = $1 AND l.id = $2
ORDER BY lt.tag_id
