-- slow(organization_id uuid, list_id uuid, tag_id uuid, search text, numbers text[], statuses text[], attributes jsonb[], tails text[], after uuid, after_name text, per_page int8, skip int8, segment text[])
-- Chooses a page's contacts for chosen, chosen_lists and chosen_tags: among the next 1,000 in order; if at least 3 of
-- those match, among 20,000 more; and if a seventh of those 21,000 match, among 60,000 more, for a deep page. If that
-- is not enough, matches are rare: all are read by index, sorted and counted. The planner alone would walk over a
-- million rows where it overestimates the matches.
WITH near AS MATERIALIZED (
  SELECT c.id, row_number() OVER (ORDER BY /*include walked_order*/) AS n
  FROM (/*include walk*/ LIMIT 1000) c
  /*include walked*/ /*segment step $13*/
  ORDER BY /*include walked_order*/
  LIMIT $11 + $12
), far AS MATERIALIZED (
  SELECT c.id, row_number() OVER (ORDER BY /*include walked_order*/) + (SELECT count(*) FROM near) AS n
  FROM (/*include walk*/ LIMIT 20000 OFFSET 1000) c
  /*include walked*/ /*segment step $13*/
    AND (SELECT count(*) FROM near) BETWEEN 3 AND $11 + $12 - 1
  ORDER BY /*include walked_order*/
  LIMIT $11 + $12
), farther AS MATERIALIZED (
  SELECT c.id, row_number() OVER (ORDER BY /*include walked_order*/) + (SELECT count(*) FROM near) + (SELECT count(*) FROM far)
      AS n
  FROM (/*include walk*/ LIMIT 60000 OFFSET 21000) c
  /*include walked*/ /*segment step $13*/
    AND (SELECT count(*) FROM near) + (SELECT count(*) FROM far) BETWEEN 3000 AND $11 + $12 - 1
  ORDER BY /*include walked_order*/
  LIMIT $11 + $12
), walked AS (
  SELECT count(*) >= $11 + $12 AS enough, array_agg(id ORDER BY n) AS ids
  FROM (SELECT * FROM near UNION ALL SELECT * FROM far UNION ALL SELECT * FROM farther) c
), size AS (
  -- If the organization has a quarter of all contacts, it is no index condition: checking each match is faster than
  -- intersecting the matches with all its contacts.
  SELECT /*if by_search*/ /*include is_large*/ /*else*/ /*if by_attributes*/ /*include is_large*/ /*else*/ false
    /*end*/ /*end*/ AS is_large
), matching AS MATERIALIZED (
  SELECT c.id /*if by_name*/, c.name /*end*/
  FROM contact c
  WHERE (c.organization_id = $1) /*segment large_all $13*/ AND NOT (SELECT enough FROM walked) AND NOT (SELECT is_large FROM size)
    /*include filters*/ /*segment all $13*/
  UNION ALL
  SELECT c.id /*if by_name*/, c.name /*end*/
  FROM contact c
  WHERE (c.organization_id = $1) IS TRUE AND NOT (SELECT enough FROM walked) AND (SELECT is_large FROM size)
    /*include filters*/ /*segment all $13*/
), chosen AS (
  SELECT enough, CASE WHEN enough THEN ids[$12 + 1 : $11 + $12] ELSE ARRAY(
      SELECT c.id
      FROM matching c
      /*if after*/ /*if by_name*/
      WHERE (lower(c.name), c.id) /*if descending*/ < /*else*/ > /*end*/ (lower($10), $9)
      /*else*/
      WHERE c.id /*if descending*/ < /*else*/ > /*end*/ $9
      /*end*/ /*end*/
      ORDER BY /*include order*/
      LIMIT $11 OFFSET $12) END AS ids
  FROM walked
)
SELECT set_config('parley.chosen', ids::text, true) IS NOT NULL AS done,
  CASE WHEN NOT enough THEN (SELECT count(*) FROM matching) END AS total
FROM chosen
