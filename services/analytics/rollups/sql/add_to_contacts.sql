-- write(organization_ids uuid[], buckets timestamptz[], created int8[], deleted int8[])
INSERT INTO contact_rollup AS r (organization_id, bucket, created, deleted)
SELECT n.* FROM unnest($1, $2, $3, $4) AS n(organization_id)
WHERE NOT EXISTS (SELECT FROM removal d WHERE d.organization_id = n.organization_id AND d.kind = 'organization')
ON CONFLICT (organization_id, bucket) DO UPDATE SET
  created = r.created + excluded.created,
  deleted = r.deleted + excluded.deleted
