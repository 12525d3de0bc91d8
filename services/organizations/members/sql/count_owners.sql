-- write(organization_id uuid)
SELECT count(*) FROM member WHERE organization_id = $1 AND access_level = 'Owner'
