-- write(organization_id uuid, message_id uuid, phone_number_id text)
-- The channel takes no recipient, so the contact's id stands for them: receipts do not wait for messages. One that is
-- under way already is enough.
INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, expires_at)
SELECT $1, $2, 'Receipt', $3, contact_id, contact_id::text, now() + interval '24 hours'
FROM message
WHERE organization_id = $1 AND id = $2 AND channel_message_id IS NOT NULL
ON CONFLICT (organization_id, message_id, kind) DO NOTHING
