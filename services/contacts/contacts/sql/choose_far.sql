-- slow(organization_id uuid, list_id uuid, tag_id uuid, status text, after uuid, after_name text, per_page int8, skip int8)
-- As choose, for pages that page.sql would read but for what they skip: an index alone is passed over, once.
SELECT set_config('parley.chosen', ARRAY(SELECT id FROM (SELECT c.id /*include next*/) page LIMIT $7)::text, true)
  IS NOT NULL AS done, NULL::int8 AS total
