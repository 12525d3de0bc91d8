-- slow(organization_id uuid, list_id uuid, tag_id uuid, search text, numbers text[], statuses text[], attributes jsonb[], tails text[],
--   segment text[])
-- With a tag as the only filter, counts contact_tag alone. A short search uses the index of characters only if its
-- matches are rare: splitting each text again would cost more than scanning all of them.
SELECT
  (SELECT coalesce(sum(changes), 0)::int8 FROM tally
   WHERE organization_id = $1 AND list_id = '00000000-0000-0000-0000-000000000000') AS version,
  extract(epoch FROM pg_postmaster_start_time())::float8 || ' ' || (SELECT f.epoch FROM feed_now() f) AS epoch,
  /*if tag_alone*/
  (SELECT count(*) FROM contact_tag c WHERE c.organization_id = $1 AND c.tag_id = $3)
  /*else*/
  CASE
    /*if by_letters*/
    WHEN (SELECT count(*) > 20
          FROM (SELECT * FROM contact WHERE organization_id = $1 ORDER BY id DESC LIMIT 1000) c
          WHERE true /*include passing*/)
    THEN (SELECT count(*) FROM contact c WHERE c.organization_id = $1
          /*include passing*/
          /*if by_list*/ /*include in_list*/ /*end*/
          /*if by_tag*/ /*include tagged*/ /*end*/ /*segment each $9*/)
    /*end*/
    /*if by_segment*/
    -- Matches that are not rare are tested one after the other.
    WHEN (SELECT count(*) > 20
          FROM (SELECT * FROM contact WHERE organization_id = $1 ORDER BY id DESC LIMIT 1000) c
          WHERE true /*include passing*/ /*segment step $9*/)
    THEN (SELECT count(*) FROM contact c WHERE (c.organization_id = $1) /*segment large $9*/
          /*include passing*/
          /*if by_list*/ /*include in_list*/ /*end*/
          /*if by_tag*/ /*include tagged*/ /*end*/ /*segment each $9*/)
    /*end*/
    -- For large organizations, as in choose.
    /*if by_search*/ WHEN /*include is_large*/
    THEN (SELECT count(*) FROM contact c WHERE (c.organization_id = $1) IS TRUE
          /*include filters*/ /*segment all $9*/) /*end*/
    /*if by_attributes*/ WHEN /*include is_large*/
    THEN (SELECT count(*) FROM contact c WHERE (c.organization_id = $1) IS TRUE
          /*include filters*/ /*segment all $9*/) /*end*/
    WHEN true
    THEN (SELECT count(*) FROM contact c WHERE (c.organization_id = $1) /*segment large_all $9*/
          /*include filters*/ /*segment all $9*/)
  END
  /*end*/ AS count
