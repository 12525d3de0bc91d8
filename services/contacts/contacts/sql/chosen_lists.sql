-- read(organization_id uuid, ids uuid[])
-- As page_lists.
/*include bounded_open*/
SELECT /*include listed*/ coalesce(y.contacts, 0) AS "numberOfContacts",
  l.campaigns_sent AS "numberOfCampaignsSent", l.created_at AS "createdAt", t.id AS tag_id, t.label AS tag_label
FROM (SELECT DISTINCT x.list_id
      FROM membership x
      WHERE x.organization_id = $1 AND x.contact_id = ANY (/*include chosen*/)
      /*if guarded*/
        AND EXISTS (SELECT FROM list l WHERE l.organization_id = $1 AND l.id = x.list_id)
      LIMIT 300
      /*end*/) seen
/*include lists_seen*/
