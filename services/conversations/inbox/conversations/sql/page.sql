-- read(organization_id uuid, statuses text[], contact_ids uuid[], member_id uuid, campaign_id uuid, after_at int8,
--   after_id uuid, per_page int8, skip int8, initiators text[], inbound bool[])
-- Reads each status, and each of the wanted kinds where no filter is narrower, from an index with its order. The inner
-- LIMIT is the maximum skip and page size: for a parameter the planner assumes a tenth of the table, and would plan anew
-- each time instead of keeping so expensive a plan.
SELECT /*include conversation*/, /*include message*/, (extract(epoch FROM active_at) * 1000000)::int8 AS position
FROM (
    SELECT page.id AS page_id, page.active_at
    FROM unnest($2) AS wanted (wanted_status) /*include kinds*/ CROSS JOIN LATERAL (
        SELECT * FROM (
            SELECT c.id, /*include active_at*/ AS active_at
            FROM conversation c
            WHERE c.organization_id = $1 AND (c.status <> 'Deleted' OR c.tombstone)
              /*include filters*/
              /*include kind*/
              /*if by_creation*/
              -- Bounds and order leave conversation_created alone: by the statistics, where nearly all have one status,
              -- reading all of them for a rare one would cost no more.
              AND (c.status, c.id) /*if ascending*/ > /*else*/ < /*end*/ (wanted_status, $7)
              AND (c.status, c.id) /*if ascending*/ <= /*else*/ >= /*end*/ (wanted_status,
                /*if ascending*/ uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff' /*else*/ uuid '00000000-0000-0000-0000-000000000000' /*end*/)
            ORDER BY c.status /*if ascending*/ /*else*/ DESC /*end*/, c.id /*if ascending*/ /*else*/ DESC /*end*/
              /*else*/
              AND c.status = wanted_status
              AND (/*include active_at*/, c.id) /*if ascending*/ > /*else*/ < /*end*/
                  (timestamptz 'epoch' + $6 * interval '1 microsecond', $7)
            ORDER BY /*include order*/
              /*end*/
            /*if far*/ /*else*/ LIMIT 600 /*end*/
          ) near
        LIMIT $8 + $9
      ) page
    ORDER BY /*include order*/
    LIMIT $8 OFFSET $9
  ) page
  JOIN conversation c ON c.organization_id = $1 AND c.id = page_id
  LEFT JOIN LATERAL (
    SELECT *
    FROM message
    WHERE organization_id = $1 AND conversation_id = c.id
    ORDER BY created_at DESC, id DESC
    LIMIT 1
  ) m ON true
ORDER BY /*if by_creation*/ /*else*/ active_at /*if ascending*/ /*else*/ DESC /*end*/, /*end*/
  page_id /*if ascending*/ /*else*/ DESC /*end*/
