-- read(organization_id uuid, conversation_id uuid, after_at int8, after_id uuid, contact_id uuid, campaign_id uuid,
--   direction text, status text, from_moment timestamptz, to_moment timestamptz, message_type text, per_page int8)
-- The inner LIMIT is the maximum page size: for a parameter the planner assumes a tenth of the table, and would plan
-- anew each time instead of keeping so expensive a plan. The scalar subquery keeps it from joining all messages first.
SELECT /*include message*/, /*include short_data*/ AS "messageData", /*include position*/
FROM (
    SELECT m.*
    /*if by_contact*/
    FROM conversation c CROSS JOIN LATERAL (
        SELECT * FROM message m
        WHERE m.organization_id = $1 AND m.conversation_id = c.id
          /*include filters*/
        ORDER BY /*include order*/
        LIMIT 100
      ) m
    WHERE c.organization_id = $1 AND c.contact_id = $5 AND c.status <> 'Deleted'
    /*else*/
    FROM message m
    WHERE m.organization_id = $1
      /*include filters*/
      AND (SELECT c.status FROM conversation c
           WHERE c.organization_id = $1 AND c.id = m.conversation_id) <> 'Deleted'
    /*end*/
    ORDER BY /*include order*/
    LIMIT 100
  ) m
ORDER BY /*include order*/
LIMIT $12
