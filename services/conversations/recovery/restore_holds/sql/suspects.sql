-- slow(taken_at timestamptz)
-- Campaigns that may have gone on after the backup, and to whom they had surely been sent by then. One that had not begun
-- may have been resumed since, or given an earlier time, or been cancelled.
SELECT /*include suspect*/ AND NOT c.held AND c.created_at <= $1 AND c.status IN ('Running', 'Paused', 'Scheduled')
ORDER BY c.organization_id, c.id
