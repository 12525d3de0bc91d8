-- read(organization_id uuid, conversation_id uuid, after_at int8, after_id uuid, per_page int8, skip int8)
SELECT /*include message*/, /*include short_data*/ AS "messageData", /*include position*/
FROM message m
WHERE m.organization_id = $1 AND m.conversation_id = $2 AND /*include after*/
ORDER BY /*include order*/
LIMIT $5 OFFSET $6
