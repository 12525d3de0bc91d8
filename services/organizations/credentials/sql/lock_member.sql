-- write(organization_id uuid, member_id uuid)
-- Whoever replaces this member's key waits here for the one before.
SELECT id FROM member WHERE organization_id = $1 AND id = $2 FOR UPDATE
