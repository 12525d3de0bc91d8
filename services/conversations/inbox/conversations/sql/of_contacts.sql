-- read(organization_id uuid, contact_ids uuid[], conversations int8, messages int8)
-- A row for each message or empty conversation. The subquery hides the number of ids from the planner, which would
-- replan for short arrays at more than the query's cost. Omits long data (`light`), or data beyond the limit. If
-- `light`, the join keeps the order of messages, as in of_contact.
SELECT c.contact_id, c.id, c.campaign_id, c.initiated_by, c.created_at, c.status,
  /*include embedded*/
FROM (
    SELECT *, row_number() OVER (PARTITION BY contact_id ORDER BY id DESC) AS ordinal
    FROM conversation
    WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest($2))) AND status <> 'Deleted'
  ) c
  LEFT JOIN LATERAL (
    SELECT *
    FROM message
    WHERE organization_id = $1 AND conversation_id = c.id
    ORDER BY created_at DESC, id DESC
    LIMIT $4
  ) m ON true
WHERE c.ordinal <= $3
ORDER BY c.contact_id, c.id DESC /*if light*/ /*else*/ , m.created_at DESC, m.id DESC /*end*/
