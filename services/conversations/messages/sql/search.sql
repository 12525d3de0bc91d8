-- slow(organization_id uuid, words text, after_at int8, after_id uuid, patterns text[], excluded text[], direction text,
--   message_type text, end_moment timestamptz, per_page int8)
-- The messages with all words, by the index, which knows no order: those that are no more than 5,000 are sorted. Of more it
-- returns any, with too_many, and they are walked through instead: of 5,000,000 messages 20,000 then have a page of 20.
-- Looks at their texts and conversations in order, until the page is full.
SELECT m.id, /*include position*/, m.too_many
FROM (
    SELECT m.*
    FROM (
        SELECT m.organization_id, m.id, m.conversation_id, m.direction, m.message_type, m.data, m.created_at,
          count(*) OVER () > 5000 AS too_many
        FROM messages_with($2::tsquery, 5001) m
        WHERE m.organization_id = $1
      ) m
    WHERE m.too_many
      OR (/*include after*/
          /*if ascending*/ AND m.created_at < coalesce($9, timestamptz 'infinity')
          /*else*/ AND m.created_at >= coalesce($9, timestamptz '-infinity') /*end*/
          AND ($7::text IS NULL OR m.direction = $7) AND ($8::text IS NULL OR m.message_type = $8))
    ORDER BY /*include order*/
    OFFSET 0
  ) m
WHERE m.too_many
  OR (
    /*if by_text*/ /*include said*/ LIKE ALL ($5) AND NOT coalesce(/*include said*/ LIKE ANY ($6), false) AND /*end*/
    (SELECT c.status FROM conversation c WHERE c.organization_id = $1 AND c.id = m.conversation_id) <> 'Deleted')
LIMIT $10
