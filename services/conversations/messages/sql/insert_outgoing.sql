-- write(organization_id uuid, message_id uuid, phone_number_id text, recipient text, expires_at timestamptz)
INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, expires_at, created_at)
SELECT $1, $2, 'Message', $3, contact_id, $4, $5, created_at
FROM message
WHERE organization_id = $1 AND id = $2
