-- read(organization_id uuid, list_id uuid, tag_id uuid, status text, after uuid, after_name text, per_page int8, skip int8)
-- A row per list and tag, at most 1,000. If `guarded`, 10,001, each list's texts once, and about 12 MiB of texts.
/*include bounded_open*/
SELECT /*include listed*/ coalesce(y.contacts, 0) AS "numberOfContacts",
  l.campaigns_sent AS "numberOfCampaignsSent", l.created_at AS "createdAt", t.id AS tag_id, t.label AS tag_label
-- As an array, the planner takes the page for a few ids; it takes an unknown LIMIT for a tenth of the table.
FROM (SELECT DISTINCT x.list_id
      FROM membership x
      WHERE x.organization_id = $1 AND x.contact_id = ANY (ARRAY(
        SELECT id FROM (SELECT c.id /*include next*/) page LIMIT $7))
      /*if guarded*/
        AND EXISTS (SELECT FROM list l WHERE l.organization_id = $1 AND l.id = x.list_id)
      LIMIT 300
      /*end*/) seen
/*include lists_seen*/
