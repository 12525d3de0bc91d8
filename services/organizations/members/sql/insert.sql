-- write(organization_id uuid, id uuid, person_id uuid, access_level text)
-- Behind a take-over that it waited for: see person.taken_over_at.
INSERT INTO member (organization_id, id, person_id, access_level, created_at)
VALUES ($1, $2, $3, $4, clock_timestamp())
