-- slow(organization_id uuid, campaign_id uuid, most int8)
-- Targets whose recipient comes again. One recipient is one contact's at any moment: whoever was read later has it now.
WITH repeated AS MATERIALIZED (
  SELECT recipient COLLATE "C" AS recipient, max(ordinal) AS kept
  FROM target
  WHERE organization_id = $1 AND campaign_id = $2 AND skipped IS NULL
  GROUP BY recipient COLLATE "C" HAVING count(*) > 1
  LIMIT $3
)
SELECT t.ordinal
FROM repeated r JOIN target t ON t.recipient COLLATE "C" = r.recipient AND t.ordinal <> r.kept
WHERE t.organization_id = $1 AND t.campaign_id = $2 AND t.skipped IS NULL
LIMIT $3
