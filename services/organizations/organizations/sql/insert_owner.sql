-- write(organization_id uuid, member_id uuid, id uuid, owner_id uuid)
INSERT INTO member (organization_id, id, person_id, access_level)
SELECT o.organization_id, $4, caller.person_id, 'Owner'
FROM member caller, organization o
WHERE caller.organization_id = $1 AND caller.id = $2 AND o.organization_id = $3
