-- read(organization_id uuid, ids uuid[])
-- The lists of chosen contacts: a row per list and tag, at most 1,000. If `guarded`, 10,001, each list's texts once, and
-- about 12 MiB of texts.
/*if guarded*/
SELECT "uniqueId", name, description, "numberOfCampaignsSent", "createdAt", tag_id, tag_label
FROM (SELECT *, sum(octet_length(name) + octet_length(description) + coalesce(octet_length(tag_label), 0))
        OVER (ORDER BY "uniqueId", tag_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM (
/*end*/
SELECT l.id AS "uniqueId",
  /*if guarded*/ CASE WHEN lag(l.id) OVER listed IS DISTINCT FROM l.id THEN l.name ELSE '' END AS name,
  CASE WHEN lag(l.id) OVER listed IS DISTINCT FROM l.id THEN l.description ELSE '' END AS description,
  /*else*/ l.name, l.description, /*end*/
  l.campaigns_sent AS "numberOfCampaignsSent", l.created_at AS "createdAt", t.id AS tag_id, t.label AS tag_label
FROM (SELECT DISTINCT x.list_id
      FROM unnest(/*include chosen*/) AS wanted (id)
        CROSS JOIN LATERAL (SELECT y.list_id FROM membership y
                            WHERE y.organization_id = $1 AND y.contact_id BETWEEN wanted.id AND wanted.id
                            ORDER BY y.contact_id, y.list_id OFFSET 0) x
      /*if guarded*/
      WHERE EXISTS (SELECT FROM list l WHERE l.organization_id = $1 AND l.id = x.list_id)
      LIMIT 300
      /*end*/) seen
  JOIN list l ON l.organization_id = $1 AND l.id = seen.list_id
  LEFT JOIN (list_tag lt JOIN tag t ON t.organization_id = $1 AND t.id = lt.tag_id)
    ON lt.organization_id = $1 AND lt.list_id = l.id
/*if guarded*/
WINDOW listed AS (ORDER BY l.id, t.id) ORDER BY l.id, t.id LIMIT 10001
           ) listed) listed
WHERE coalesce(before, 0) <= 12582912
ORDER BY "uniqueId", tag_id
/*else*/
ORDER BY l.id, t.id
LIMIT 1000
/*end*/
