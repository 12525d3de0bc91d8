-- slow(organization_id uuid, list_id uuid, tag_id uuid, search text, numbers text[], statuses text[], attributes jsonb[], tails text[], after uuid, walked int8, most_octets int8, segment text[])
-- Matches among the next $10 contacts in order of creation, cut off at $11 octets; `matching` counts those cut off,
-- too. Each step is short however few match, and all steps together pass over the contacts once.
SELECT "uniqueId", name, phone, attributes, "createdAt", status, tags, lists, matching
FROM (
  SELECT found.*, count(*) OVER () AS matching,
    coalesce(sum(octet_length(name) + octet_length(attributes::text) + octet_length(array_to_string(tags, ''))
                 + octet_length(array_to_string(lists, '')))
      OVER (ORDER BY "uniqueId" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS octets_before
  FROM (
    SELECT c.id AS "uniqueId", c.name, coalesce(c.phone, '') AS phone, c.attributes, c.created_at AS "createdAt", c.status,
      ARRAY(SELECT t.label FROM contact_tag x JOIN tag t ON t.organization_id = $1 AND t.id = x.tag_id
            WHERE x.organization_id = $1 AND x.contact_id = c.id ORDER BY lower(t.label)) AS tags,
      ARRAY(SELECT l.name FROM membership x JOIN list l ON l.organization_id = $1 AND l.id = x.list_id
            WHERE x.organization_id = $1 AND x.contact_id = c.id ORDER BY lower(l.name), l.id) AS lists
    FROM (SELECT c.* /*include walk_ids*/ ORDER BY c.id LIMIT $10) c
    WHERE true
      /*include passing*/ /*segment step $12*/
      /*if by_list*/ /*if by_tag*/ /*include tagged*/ /*end*/ /*end*/
    ORDER BY c.id
    OFFSET 0  -- computes the arrays once
  ) found
) found
WHERE octets_before < $11
ORDER BY "uniqueId"
