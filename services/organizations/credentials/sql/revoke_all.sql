-- write(organization_id uuid, member_id uuid, id uuid)
UPDATE credential SET revoked_at = now()
WHERE organization_id = $1 AND revoked_at IS NULL
  /*if of_member*/ AND member_id = $2 /*end*/
  /*if by_id*/ AND id = $3 /*end*/
RETURNING id, member_id AS "memberId", name
