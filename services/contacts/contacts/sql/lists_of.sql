-- read(organization_id uuid, contact_id uuid)
-- Rows as in page_lists. Subqueries by key: with joins the planner hashes whole tables while they are small.
/*include bounded_open*/
SELECT /*include listed*/
  coalesce((SELECT sum(y.contacts) FROM tally y WHERE y.organization_id = $1 AND y.list_id = l.id), 0)::int8
    AS "numberOfContacts",
  l.campaigns_sent AS "numberOfCampaignsSent", l.created_at AS "createdAt", lt.tag_id,
  (SELECT t.label FROM tag t WHERE t.organization_id = $1 AND t.id = lt.tag_id) AS tag_label
FROM membership m
  JOIN list l ON l.organization_id = $1 AND l.id = m.list_id
  LEFT JOIN list_tag lt ON lt.organization_id = $1 AND lt.list_id = l.id
WHERE m.organization_id = $1 AND m.contact_id = $2
/*if guarded*/
WINDOW listed AS (ORDER BY l.id, lt.tag_id) ORDER BY l.id, lt.tag_id LIMIT 10001
/*else*/
ORDER BY l.id, lt.tag_id LIMIT 1000
/*end*/
/*include bounded_close*/
