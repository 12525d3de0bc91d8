-- write(organization_id uuid, email text)
SELECT EXISTS (SELECT FROM member m JOIN person p ON p.id = m.person_id
               WHERE m.organization_id = $1 AND lower(p.email) = lower($2))
