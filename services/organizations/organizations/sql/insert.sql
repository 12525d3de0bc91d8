-- write(organization_id uuid, member_id uuid, id uuid, name text, description text, website_url text)
-- Nothing, when the member was removed meanwhile.
INSERT INTO organization (organization_id, name, description, website_url)
SELECT $3, $4, $5, $6
FROM member caller
WHERE caller.organization_id = $1 AND caller.id = $2
FOR KEY SHARE OF caller
RETURNING created_at
