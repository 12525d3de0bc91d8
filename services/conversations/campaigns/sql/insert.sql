-- write(organization_id uuid, id uuid, name text, description text, message jsonb, variants jsonb, list_ids uuid[],
--   excluded_list_ids uuid[], tag_ids uuid[], told_tags text[], phone_number_id text, scheduled_at timestamptz,
--   timezone text, allowed_lateness int4, messages_per_second int4)
INSERT INTO campaign (organization_id, id, name, description, message, variants, list_ids, excluded_list_ids, tag_ids,
  told_tags, phone_number_id, scheduled_at, timezone, allowed_lateness, messages_per_second)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
