-- slow(organization_id uuid, campaign_id uuid, after int4, until int4, most int4, url text, reason text)
-- The next matching recipients. Lateral lookups of each message and its effects, since a page needs few rows of many.
SELECT t.ordinal, t.contact_id
FROM target t CROSS JOIN LATERAL (
  SELECT m.id, m.status, m.error_code, m.error_text
  FROM message m WHERE m.organization_id = $1 AND m.id = t.message_id LIMIT 1) m
WHERE t.organization_id = $1 AND t.campaign_id = $2 AND t.ordinal > $3 AND t.ordinal <= $4
  /*if not_delivered*/ AND m.status IN ('Sent', 'UnDelivered') /*end*/
  /*if not_read*/ AND m.status = 'Delivered' /*end*/
  /*if not_replied*/ AND m.status = 'Read' AND (
    SELECT e.replied_at FROM engagement e
    WHERE e.organization_id = $1 AND e.campaign_id = $2 AND e.message_id = m.id) IS NULL /*end*/
  /*if clicked*/ AND (
    SELECT e.clicked_at FROM engagement e
    WHERE e.organization_id = $1 AND e.campaign_id = $2 AND e.message_id = m.id) IS NOT NULL /*end*/
  /*if by_url*/ AND t.ordinal IN (
    SELECT k.ordinal FROM click k
    WHERE k.organization_id = $1 AND k.campaign_id = $2 AND k.first AND k.ordinal > $3 AND k.ordinal <= $4
      AND k.url_id IN (SELECT u.id FROM campaign_url u
                       WHERE u.organization_id = $1 AND u.campaign_id = $2 AND md5(u.url) = md5($6) AND u.url = $6)) /*end*/
  /*if failed*/ AND m.status = 'Failed' /*end*/
  /*if undelivered*/ AND m.status = 'UnDelivered' /*end*/
  /*if by_reason*/ AND $7 = failure_reason(m.status, m.error_code, m.error_text) /*end*/
ORDER BY t.ordinal
LIMIT $5
