-- slow()
SELECT c.organization_id AS "organizationId", c.id, c.name, c.status, c.audience_count AS recipients,
  coalesce((SELECT k.first - 1 + (SELECT count(*) FROM target t
                                  WHERE t.organization_id = k.organization_id AND t.campaign_id = k.campaign_id
                                    AND t.ordinal BETWEEN k.first AND k.last
                                    AND (t.skipped IS NOT NULL OR EXISTS (
                                      SELECT FROM message m WHERE m.organization_id = t.organization_id AND m.id = t.message_id)))
            FROM chunk k
            WHERE k.organization_id = c.organization_id AND k.campaign_id = c.id AND NOT k.done
            ORDER BY k.first LIMIT 1), c.audience_count)::int8 AS "doneTo"
FROM campaign c
WHERE c.held AND c.deleted_at IS NULL
ORDER BY c.organization_id, c.id
