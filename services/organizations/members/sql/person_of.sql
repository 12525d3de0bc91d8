-- write(organization_id uuid, id uuid)
SELECT person_id FROM member WHERE organization_id = $1 AND id = $2
