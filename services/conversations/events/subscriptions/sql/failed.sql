-- write(organization_id uuid, id uuid, patience_seconds int8)
-- Whoever has failed for so long is not called any more. Nothing is written while nothing changes.
UPDATE webhook SET failing_since = coalesce(failing_since, now()),
  active = active AND failing_since IS NULL,
  disabled_at = CASE WHEN active AND failing_since IS NOT NULL THEN now() ELSE disabled_at END
WHERE organization_id = $1 AND id = $2
  AND (failing_since IS NULL OR (active AND failing_since < now() - $3 * interval '1 second'))
