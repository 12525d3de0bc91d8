-- write(organization_id uuid, id uuid)
-- Waits for those who are making deliveries for it.
SELECT /*include webhook*/, version::text FROM webhook WHERE organization_id = $1 AND id = $2 FOR UPDATE
