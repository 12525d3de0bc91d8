-- write(organization_id uuid, id uuid, old text[], new text[])
UPDATE webhook SET secret = $4[1], old_secret = $4[2]
WHERE organization_id = $1 AND id = $2 AND ARRAY[secret, old_secret] = $3
