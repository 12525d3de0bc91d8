-- read(organization_id uuid, search text, action text, member_id uuid, from_moment timestamptz, to_moment timestamptz)
SELECT count(*)
/*include matching*/
