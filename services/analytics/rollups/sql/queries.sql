-- name: pages write(table_name text)
SELECT pg_relation_size($1::regclass) / current_setting('block_size')::int8

-- name: coverage read()
SELECT producer, exact_from FROM feed_coverage WHERE exact_from IS NOT NULL ORDER BY producer

-- name: deleted_organizations write()
-- Deletions since about the start of this transaction; rows of earlier ones were not written.
SELECT id FROM removal WHERE kind = 'organization' AND started_at > now() - interval '1 minute' ORDER BY id

-- name: add_to_contacts write(organization_ids uuid[], buckets timestamptz[], created int8[], deleted int8[])
INSERT INTO contact_rollup AS r (organization_id, bucket, created, deleted)
SELECT n.* FROM unnest($1, $2, $3, $4) AS n(organization_id)
WHERE NOT EXISTS (SELECT FROM removal d WHERE d.organization_id = n.organization_id AND d.kind = 'organization')
ON CONFLICT (organization_id, bucket) DO UPDATE SET
  created = r.created + excluded.created,
  deleted = r.deleted + excluded.deleted

-- name: cover write(producer text, exact_from timestamptz)
INSERT INTO feed_coverage (producer, exact_from) VALUES ($1, $2)
ON CONFLICT (producer) DO UPDATE SET exact_from = excluded.exact_from

-- name: describe write(organization_id uuid, campaign_id uuid, name text, list_ids uuid[], tags text[], position int8)
INSERT INTO campaign AS c (organization_id, campaign_id, name, list_ids, tags, position)
SELECT $1, $2, $3, $4, ARRAY(SELECT lower(tag) FROM unnest($5) tag), $6
WHERE NOT EXISTS (SELECT FROM removal d WHERE d.organization_id = $1 AND d.kind = 'organization')
ON CONFLICT (organization_id, campaign_id) DO UPDATE SET
  name = excluded.name, list_ids = excluded.list_ids, tags = excluded.tags, position = excluded.position
WHERE c.position < excluded.position

-- name: clear_campaigns write(first_page int8, end_page int8)
DELETE FROM campaign_rollup WHERE ctid >= format('(%s,0)', $1)::tid AND ctid < format('(%s,0)', $2)::tid

-- name: clear_contacts write(first_page int8, end_page int8)
DELETE FROM contact_rollup WHERE ctid >= format('(%s,0)', $1)::tid AND ctid < format('(%s,0)', $2)::tid

-- name: clear_descriptions write(first_page int8, end_page int8)
DELETE FROM campaign WHERE ctid >= format('(%s,0)', $1)::tid AND ctid < format('(%s,0)', $2)::tid

-- name: clear_messages write(first_page int8, end_page int8)
DELETE FROM message_rollup WHERE ctid >= format('(%s,0)', $1)::tid AND ctid < format('(%s,0)', $2)::tid

-- name: clear_organizations write(first_page int8, end_page int8)
DELETE FROM organization_rollup WHERE ctid >= format('(%s,0)', $1)::tid AND ctid < format('(%s,0)', $2)::tid
