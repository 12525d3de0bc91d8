-- write(organization_id uuid, id uuid, person_id uuid, access_level text)
-- Nothing, when the person is a member.
INSERT INTO member (organization_id, id, person_id, access_level, created_at)
VALUES ($1, $2, $3, $4, clock_timestamp())
ON CONFLICT (organization_id, person_id) DO NOTHING
