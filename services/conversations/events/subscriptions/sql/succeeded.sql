-- write(organization_id uuid, id uuid)
UPDATE webhook SET failing_since = NULL WHERE organization_id = $1 AND id = $2 AND failing_since IS NOT NULL
