-- write(organization_id uuid, id uuid, url text, description text, events text[], active bool)
-- Who activates it lets it fail anew.
UPDATE webhook SET url = $3, description = $4, events = $5, active = $6,
  failing_since = CASE WHEN $6 AND NOT active THEN NULL ELSE failing_since END,
  disabled_at = CASE WHEN $6 THEN NULL ELSE disabled_at END
WHERE organization_id = $1 AND id = $2
RETURNING /*include webhook*/
