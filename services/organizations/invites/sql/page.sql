-- read(organization_id uuid, search text, status text, after_id uuid, after_email text, per_page int8, skip int8)
SELECT /*include columns*/
/*include ordered*/
