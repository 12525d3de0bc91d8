-- write(organization_id uuid, id uuid, name text, description text, message jsonb, variants jsonb, list_ids uuid[],
--   excluded_list_ids uuid[], tag_ids uuid[], told_tags text[], phone_number_id text, scheduled_at timestamptz,
--   timezone text, allowed_lateness int4, messages_per_second int4)
UPDATE campaign SET name = $3, description = $4, message = $5, variants = $6, list_ids = $7, excluded_list_ids = $8,
  tag_ids = $9, told_tags = $10, phone_number_id = $11, scheduled_at = $12, timezone = $13, allowed_lateness = $14,
  messages_per_second = $15, updated_at = now()
WHERE organization_id = $1 AND id = $2
