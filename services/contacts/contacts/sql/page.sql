-- read(organization_id uuid, list_id uuid, tag_id uuid, status text, after uuid, after_name text, per_page int8, skip int8)
-- The inner LIMIT is the most that a page may hold: the planner takes an unknown one for a tenth of the table, and would
-- plan anew each time rather than keep a plan that dear. No more rows than $7 are ever looked at.
SELECT *
FROM (
  SELECT c.id AS "uniqueId", c.name, coalesce(c.phone, '') AS phone, c.attributes, c.created_at AS "createdAt", c.status,
      ARRAY(SELECT x.list_id FROM membership x
            WHERE x.organization_id = $1 AND x.contact_id = c.id ORDER BY x.list_id) AS list_ids,
      ARRAY(SELECT x.tag_id FROM contact_tag x
            WHERE x.organization_id = $1 AND x.contact_id = c.id ORDER BY x.tag_id) AS tag_ids
  /*include next*/
) page
LIMIT $7
