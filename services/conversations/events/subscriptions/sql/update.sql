-- write(organization_id uuid, id uuid, url text, description text, events text[], active bool, answerable_id uuid)
-- Who activates it lets it fail anew. Who answers for it is asked about at once: what they may see may have changed while
-- this was under way.
UPDATE webhook SET url = $3, description = $4, events = $5, active = $6,
  failing_since = CASE WHEN $6 AND NOT active THEN NULL ELSE failing_since END,
  disabled_at = CASE WHEN $6 THEN NULL ELSE disabled_at END,
  disabled_reason = CASE WHEN $6 THEN NULL ELSE disabled_reason END,
  answerable_id = coalesce($7, answerable_id),
  check_due_at = CASE WHEN coalesce($7, answerable_id) IS NOT NULL THEN now() END
WHERE organization_id = $1 AND id = $2
RETURNING /*include webhook*/
