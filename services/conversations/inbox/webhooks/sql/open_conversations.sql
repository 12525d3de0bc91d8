-- write(organization_id uuid, ids uuid[], contact_ids uuid[], moments timestamptz[])
-- The one Active conversation of each contact, made if there is none, and locked. In order of the contacts.
INSERT INTO conversation (organization_id, id, contact_id, initiated_by, last_inbound_at)
SELECT $1, n.id, n.contact_id, 'Contact', n.at
FROM unnest($2, $3, $4) AS n (id, contact_id, at)
ORDER BY n.contact_id
ON CONFLICT (organization_id, contact_id) WHERE status = 'Active'
DO UPDATE SET last_inbound_at = greatest(conversation.last_inbound_at, excluded.last_inbound_at)
RETURNING contact_id, id
