-- read(organization_id uuid, moment timestamptz)
SELECT coalesce(sum(created - deleted), 0)::int8 FROM contact_rollup WHERE organization_id = $1 AND bucket < $2
