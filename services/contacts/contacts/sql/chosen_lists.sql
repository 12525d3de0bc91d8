-- read(organization_id uuid, ids uuid[])
SELECT l.id AS "uniqueId", l.name, l.description, coalesce(y.contacts, 0) AS "numberOfContacts",
  l.campaigns_sent AS "numberOfCampaignsSent", l.created_at AS "createdAt", t.id AS tag_id, t.label AS tag_label
FROM (SELECT DISTINCT x.list_id
      FROM membership x
      WHERE x.organization_id = $1 AND x.contact_id = ANY (/*include chosen*/)) seen
/*include lists_seen*/
