-- name: contacts_before read(organization_id uuid, moment timestamptz)
SELECT coalesce(sum(created - deleted), 0)::int8 FROM contact_rollup WHERE organization_id = $1 AND bucket < $2

-- name: days read(first_day text, last_day text, zone text)
-- The start of the first day and the end of the last.
SELECT $1::date::timestamp AT TIME ZONE $3 AS starts, ($2::date + 1)::timestamp AT TIME ZONE $3 AS ends

-- name: knows read(organization_id uuid, campaign_id uuid)
SELECT EXISTS (SELECT FROM campaign c WHERE c.organization_id = $1 AND c.campaign_id = $2)
       OR EXISTS (SELECT FROM campaign_rollup r WHERE r.organization_id = $1 AND r.campaign_id = $2)

-- name: zones slow()
-- Reads the whole time zone database; run once per process.
SELECT name FROM pg_timezone_names
WHERE name !~ '^(posix|right)/' AND name NOT IN ('localtime', 'posixrules', 'Factory')
