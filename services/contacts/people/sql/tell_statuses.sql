-- write()
-- All that was ever said of contacts' statuses, told again: a change each, as each has a time of its own.
INSERT INTO outbox (changes)
SELECT jsonb_agg(jsonb_build_object('type', 'contact.status', 'organizationId', organization_id,
                                    'contactIds', jsonb_build_array(id), 'status', status,
                                    'at', to_char(status_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                 ORDER BY n)
FROM (SELECT *, row_number() OVER (ORDER BY organization_id, id) AS n FROM contact WHERE status_at > '-infinity') c
GROUP BY n / 500
