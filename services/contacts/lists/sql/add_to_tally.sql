-- write(organization_id uuid, list_id uuid, slot int4, contacts int8)
INSERT INTO tally AS t (organization_id, list_id, slot, contacts, changes)
VALUES ($1, $2, $3, $4, 1)
ON CONFLICT (organization_id, list_id, slot)
DO UPDATE SET contacts = t.contacts + excluded.contacts, changes = t.changes + 1
