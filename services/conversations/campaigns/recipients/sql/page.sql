-- read(organization_id uuid, campaign_id uuid, after int4, until int4, variant int4, state text, reason text,
--   error_code int4, skip int8, most int8)
-- Matching recipients between two ordinals, in order. Lateral lookups of messages and effects keep the planner from
-- scanning whole tables for a page. The phone of a deleted contact is blank, although its rows remain for a while.
SELECT r.ordinal, r.contact_id AS "contactId",
  CASE WHEN r.recipient NOT LIKE '+%'
         OR EXISTS (SELECT FROM removal x
                    WHERE x.organization_id = $1 AND x.kind IN ('contact', 'lost contact')
                      AND x.id = coalesce((SELECT g.into_id FROM merged_contact g
                                           WHERE g.organization_id = $1 AND g.contact_id = r.contact_id), r.contact_id))
       THEN '' ELSE r.recipient END AS phone,
  r.variant, r.state, r.reason, r.error_text AS "reasonText", r.message_id AS "messageId",
  r.conversation_id AS "conversationId", CASE WHEN r.state <> 'Pending' THEN r.created_at END AS "sentAt",
  r.status_at AS "statusAt", e.replied_at AS "repliedAt", e.clicked_at AS "clickedAt"
FROM (
    SELECT t.ordinal, t.contact_id, t.recipient,
      CASE WHEN t.variant < 0 THEN /*include winner*/ ELSE t.variant END AS variant, m.id AS message_id, m.conversation_id, m.created_at, m.status_at,
      /*include state*/ AS state, /*include reason*/ AS reason,
      CASE WHEN m.status IN ('Failed', 'UnDelivered') AND m.error_text <> 'unknown' THEN m.error_text END AS error_text
    /*include matching*/
    ORDER BY t.ordinal
    LIMIT $10 OFFSET $9
  ) r
  LEFT JOIN LATERAL (
    SELECT e.replied_at, e.clicked_at FROM engagement e
    WHERE e.organization_id = $1 AND e.campaign_id = $2 AND e.message_id = r.message_id LIMIT 1) e ON true
ORDER BY r.ordinal
