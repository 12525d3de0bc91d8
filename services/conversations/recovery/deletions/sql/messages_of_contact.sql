-- write(organization_id uuid, contact_id uuid, most int8)
-- What was said goes. A channel's message id has a phone number in it.
UPDATE message SET data = CASE message_type WHEN 'Text' THEN '{"text": ""}' ELSE '{}' END::jsonb,
  channel_message_id = NULL, error_text = NULL
WHERE organization_id = $1 AND id = ANY (ARRAY(
  SELECT m.id
  FROM conversation c JOIN message m ON m.organization_id = $1 AND m.conversation_id = c.id
  WHERE c.organization_id = $1 AND c.contact_id = ANY (ARRAY(SELECT unnest(names_of($1, $2))))
    AND (m.data <> CASE m.message_type WHEN 'Text' THEN '{"text": ""}' ELSE '{}' END::jsonb
      OR m.channel_message_id IS NOT NULL OR m.error_text IS NOT NULL)
  LIMIT $3))
