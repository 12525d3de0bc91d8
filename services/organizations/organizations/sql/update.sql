-- write(organization_id uuid, name text, description text, website_url text, logo_url text, favicon_url text,
--   is_auto_handling_conversations_enabled bool)
UPDATE organization SET name = $2, description = $3, website_url = $4, logo_url = $5, favicon_url = $6,
  is_auto_handling_conversations_enabled = $7
WHERE organization_id = $1
