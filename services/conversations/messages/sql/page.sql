-- read(organization_id uuid, conversation_id uuid, after_at int8, after_id uuid, contact_id uuid, campaign_id uuid,
--   direction text, status text, end_moment timestamptz, message_type text, per_page int8)
-- Looks at 20,000 messages in order, at most; of one contact, at all. `ends` is the last one of those, which may match
-- or not: the next page goes on behind it.
-- The walk's LIMIT is a subquery, which the planner takes for a tenth of the messages: it would rather sort all of them
-- than walk over most of them, which hardly any page needs.
-- The inner LIMIT is the maximum page size: for a parameter the planner assumes a tenth of the table, and would plan
-- anew each time instead of keeping so expensive a plan. The scalar subquery keeps it from joining all messages first.
SELECT /*include message*/, /*include short_data*/ AS "messageData", /*include position*/, w.matches, w.ends
FROM (
    /*if by_contact*/
    SELECT w.*
    FROM conversation c CROSS JOIN LATERAL (
        SELECT m.id, m.created_at, true AS matches, false AS ends
        FROM message m
        WHERE m.organization_id = $1 AND m.conversation_id = c.id
          AND /*include matching*/
          /*include within*/
        ORDER BY /*include order*/
        LIMIT 100
      ) w
    WHERE c.organization_id = $1 AND c.contact_id = $5 AND c.status <> 'Deleted'
    /*else*/
    SELECT w.*
    FROM (
        SELECT m.id, m.created_at,
          /*include matching*/
            AND (SELECT c.status FROM conversation c
                 WHERE c.organization_id = $1 AND c.id = m.conversation_id) <> 'Deleted' AS matches,
          row_number() OVER (ORDER BY /*include order*/) = 20000 AS ends
        FROM (
            SELECT m.id, m.created_at, m.conversation_id, m.direction, m.status, m.message_type
            FROM message m
            WHERE m.organization_id = $1
              /*include within*/
            ORDER BY /*include order*/
            LIMIT (SELECT 20000)
          ) m
      ) w
    WHERE w.matches OR w.ends
    /*end*/
    ORDER BY /*include walked_order*/
    LIMIT 100
  ) w
  JOIN message m ON m.organization_id = $1 AND m.id = w.id
ORDER BY /*include walked_order*/
LIMIT $11
