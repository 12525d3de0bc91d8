-- write(organization_ids uuid[], member_ids uuid[])
-- What these members may do has changed, or without one of them what all of an organization may.
UPDATE webhook w SET check_due_at = now()
FROM unnest($1, $2) AS changed(organization_id, member_id)
WHERE w.organization_id = changed.organization_id AND w.active AND w.answerable_id IS NOT NULL
  AND (changed.member_id IS NULL OR changed.member_id = w.answerable_id)
