-- name: messages_of_day read(organization_id uuid, starts timestamptz)
-- Messages that were sent, or are to be, since then.
SELECT coalesce(sum(queued + sent + undelivered + delivered + read + failed), 0)::int8
FROM message_rollup
WHERE organization_id = $1 AND bucket >= $2
