-- write(organization_id uuid, phone_number_id text)
-- Waits until those who make messages of this number's campaigns have ended: they have its row locked until then.
SELECT FROM sender
WHERE organization_id = $1 AND phone_number_id = $2
FOR UPDATE
