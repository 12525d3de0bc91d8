-- write(organization_id uuid, phone_number_id text, reason text)
-- Why the Running campaigns of a number wait; '': they do not.
UPDATE campaign c SET status_reason = $3
FROM (
  SELECT id FROM campaign
  WHERE organization_id = $1 AND phone_number_id = $2 AND status = 'Running' AND audience_done AND status_reason <> $3
  ORDER BY id
  FOR NO KEY UPDATE
) w
WHERE c.organization_id = $1 AND c.id = w.id
