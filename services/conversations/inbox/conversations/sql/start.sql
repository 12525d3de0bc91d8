-- write(organization_id uuid, id uuid, contact_id uuid)
-- The one Active conversation of the contact, locked: a new one, or that which there is.
INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status)
VALUES ($1, $2, $3, 'Member', 'Active')
ON CONFLICT (organization_id, contact_id) WHERE status = 'Active' DO UPDATE SET status = conversation.status
RETURNING id
