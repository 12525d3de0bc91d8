-- read(organization_id uuid, member_id uuid)
SELECT count(*)
FROM member caller JOIN member m ON m.person_id = caller.person_id
WHERE caller.organization_id = $1 AND caller.id = $2
