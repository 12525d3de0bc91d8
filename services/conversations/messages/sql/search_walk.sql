-- slow(organization_id uuid, conversation_id uuid, after_at int8, after_id uuid, contact_id uuid, patterns text[],
--   excluded text[], direction text, message_type text, end_moment timestamptz, most int8, per_page int8)
-- Looks at the texts of `most` messages in order. `ends` is the last one of those, which may match or not: the next page goes
-- on behind it.
SELECT m.id, /*include position*/, m.matches, m.ends
FROM (
    SELECT m.id, m.created_at,
      coalesce(folded.said LIKE ALL ($6) AND NOT folded.said LIKE ANY ($7), false)
        AND (SELECT c.status FROM conversation c
             WHERE c.organization_id = $1 AND c.id = m.conversation_id) <> 'Deleted' AS matches,
      row_number() OVER (ORDER BY /*include order*/) = $11 AS ends
    FROM (
        SELECT m.id, m.created_at, m.conversation_id, m.direction, m.message_type, m.data
        FROM /*if by_contact*/ conversation c JOIN /*end*/ message m
          /*if by_contact*/ ON m.organization_id = $1 AND m.conversation_id = c.id /*end*/
        WHERE m.organization_id = $1 AND /*include searched*/
          AND /*include after*/
          /*if ascending*/ AND m.created_at < coalesce($10, timestamptz 'infinity')
          /*else*/ AND m.created_at >= coalesce($10, timestamptz '-infinity') /*end*/
          /*if by_contact*/ AND c.organization_id = $1 AND c.contact_id = $5 /*end*/
          /*if by_conversation*/ AND m.conversation_id = $2 /*end*/
          /*if of_rare_type*/ AND m.message_type = $9 AND m.message_type NOT IN ('Text', 'Template') /*end*/
        ORDER BY /*include order*/
        LIMIT $11
      ) m
      -- Folding takes most of the time: once a message, and only of those that can match.
      LEFT JOIN LATERAL (
        SELECT /*include said*/ AS said
        WHERE ($8::text IS NULL OR m.direction = $8) AND ($9::text IS NULL OR m.message_type = $9)
        OFFSET 0
      ) folded ON true
  ) m
WHERE m.matches OR m.ends
ORDER BY /*include order*/
LIMIT $12
