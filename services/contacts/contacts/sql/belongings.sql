-- write(organization_id uuid, contact_id uuid)
-- What belongs to a contact's version besides its row, in the order of lists_of and tags_of. Of what was deleted there
-- may be rows left. Look-ups by key in the conditions: as joins, the planner hashes whole tables while they are small.
SELECT
  ARRAY(SELECT m.list_id FROM membership m
        WHERE m.organization_id = $1 AND m.contact_id = $2
          AND (SELECT l.id FROM list l WHERE l.organization_id = $1 AND l.id = m.list_id) IS NOT NULL
        ORDER BY m.list_id) AS list_ids,
  ARRAY(SELECT x.tag_id FROM contact_tag x
        WHERE x.organization_id = $1 AND x.contact_id = $2
          AND (SELECT t.id FROM tag t WHERE t.organization_id = $1 AND t.id = x.tag_id) IS NOT NULL
        ORDER BY x.tag_id) AS tag_ids
