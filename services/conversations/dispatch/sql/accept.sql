-- write(organization_id uuid, message_ids uuid[], channel_message_ids text[])
SELECT a.id, a.conversation_id, a.contact_id, a.campaign_id, a.created_at, a.was, a.status, a.error_code, a.error_text,
  a.status_at
FROM accept_messages($1, $2, $3) a
