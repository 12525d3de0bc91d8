-- read(organization_id uuid, contact_id uuid)
-- of_contacts for one contact, with 20 conversations and 20 messages: without window function and array. If `light`, the
-- join keeps the order of both subqueries, as PostgreSQL can only run the second one for each row of the first.
SELECT c.contact_id, c.id, c.campaign_id, c.initiated_by, c.created_at, c.status,
  /*include embedded*/
FROM (
    SELECT *
    FROM conversation
    WHERE organization_id = $1 AND contact_id = $2 AND status <> 'Deleted'
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
ORDER BY c.id DESC /*if light*/ /*else*/ , m.created_at DESC, m.id DESC /*end*/
