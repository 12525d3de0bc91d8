-- write(organization_id uuid, id uuid, person_id uuid, access_level text)
INSERT INTO member (organization_id, id, person_id, access_level)
VALUES ($1, $2, $3, $4)
