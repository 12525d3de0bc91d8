-- read(organization_id uuid, contact_ids uuid[])
-- of_contacts for one contact, or `several`, with 20 conversations and 20 messages each: without window function. If `light`,
-- the joins keep the order of their subqueries, as PostgreSQL can only run the inner ones for each row of the outer; of
-- `several` only the contacts' order is asked for, which is there already. For a page of contacts with one message each,
-- of_contacts is cheaper.
SELECT c.contact_id, c.id, c.campaign_id, c.initiated_by, c.created_at, c.status,
  /*include embedded*/
FROM /*if several*/ (SELECT DISTINCT id FROM unnest($2) AS given (id) ORDER BY id) wanted
  CROSS JOIN LATERAL /*end*/ (
    SELECT *
    FROM conversation
    WHERE organization_id = $1 AND contact_id = /*if several*/ wanted.id /*else*/ $2[1] /*end*/ AND status <> 'Deleted'
    ORDER BY id DESC
    LIMIT 20
  ) c
  LEFT JOIN LATERAL (
    SELECT *
    FROM message
    WHERE organization_id = $1 AND conversation_id = c.id
    ORDER BY created_at DESC, id DESC
    LIMIT 20
  ) m ON true
ORDER BY /*if several*/ wanted.id /*else*/ c.id DESC /*end*/
  /*if light*/ /*else*/ , c.id DESC, m.created_at DESC, m.id DESC /*end*/
