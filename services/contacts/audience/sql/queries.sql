-- name: people read(organization_id uuid, contact_ids uuid[], variables text[])
-- Addresses and variable values. An empty text becomes NULL.
SELECT c.id, c.phone, c.channel_user_id AS "channelUserId", c.status,
  ARRAY(SELECT nullif(variable_value(c.name, c.phone, c.attributes, name), '')
        FROM unnest($3) AS name) AS values
FROM contact c
WHERE c.organization_id = $1 AND c.id = ANY (ARRAY(SELECT unnest($2)))
ORDER BY c.id

-- name: known read(organization_id uuid, ids uuid[])
SELECT id FROM list WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2))) ORDER BY id

-- name: prepare_count slow(milliseconds text)
-- For the rest of the batch. Groups are few, though the planner expects many: to sort for them takes longest of all. With less
-- memory the planner asks for the lists and tags of segments contact by contact.
SELECT set_config('statement_timeout', $1, true), set_config('enable_sort', 'off', true),
  set_config('enable_incremental_sort', 'off', true), set_config('work_mem', '32MB', true)
