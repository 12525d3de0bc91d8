-- read(organization_id uuid, conversation_id uuid, after_at int8, after_id uuid, contact_id uuid, campaign_id uuid,
--   direction text, status text, from_moment timestamptz, to_moment timestamptz, message_type text, per_page int8)
-- Messages of all conversations that are not Deleted. The inner LIMIT is the most that a page may hold: the planner takes
-- an unknown one for a tenth of the table, and would plan anew each time rather than keep a plan that dear. Each message
-- is asked for its conversation by itself, so that the planner cannot join all of them first.
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
