-- slow()
SELECT /*include suspect*/ AND c.held AND c.status = 'Paused'
ORDER BY c.organization_id, c.id
