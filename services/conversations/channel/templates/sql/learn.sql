-- write(business_account_id text, id text, at timestamptz, status text, reason text, quality text, category text)
-- What a webhook told of a template, for all organizations with the account: its status, quality or category, '' for each
-- that it did not tell. Of each the latest word of the channel holds, in whatever order webhooks come. An organization's list
-- is asked for again if it lacks the template, if it was asked for more than a minute after the webhook was made, which then
-- is no news, or if the webhook tells none of the three. Locks lists first, as save() does.
WITH lists AS MATERIALIZED (
  SELECT l.organization_id, l.listed_at FROM channel_list l
  WHERE l.business_account_id = $1 AND l.kind = 'Templates'
  ORDER BY l.organization_id FOR NO KEY UPDATE
), old AS MATERIALIZED (
  SELECT o.organization_id, o.id, o.status, o.status_reason, o.quality, o.category,
    coalesce($3 >= lists.listed_at - interval '1 minute', true) AS is_news
  FROM template o LEFT JOIN lists ON lists.organization_id = o.organization_id
  WHERE o.business_account_id = $1 AND o.id = $2
  ORDER BY o.organization_id FOR NO KEY UPDATE OF o
), heard AS (
  UPDATE channel_list l
  SET changed_at = now(),
    listed_at = CASE WHEN $4 || $6 || $7 <> ''
                       AND EXISTS (SELECT FROM old WHERE old.organization_id = l.organization_id AND old.is_news)
                     THEN l.listed_at ELSE '-infinity' END
  FROM lists
  WHERE l.organization_id = lists.organization_id AND l.kind = 'Templates'
)
UPDATE template t
SET status = CASE WHEN $4 <> '' AND $3 >= t.status_told_at THEN $4 ELSE t.status END,
  status_reason = CASE WHEN $4 <> '' AND $3 >= t.status_told_at THEN $5 ELSE t.status_reason END,
  status_told_at = CASE WHEN $4 <> '' THEN greatest(t.status_told_at, $3) ELSE t.status_told_at END,
  quality = CASE WHEN $6 <> '' AND $3 >= t.quality_told_at THEN $6 ELSE t.quality END,
  quality_told_at = CASE WHEN $6 <> '' THEN greatest(t.quality_told_at, $3) ELSE t.quality_told_at END,
  category = CASE WHEN $7 <> '' AND $3 >= t.category_told_at THEN $7 ELSE t.category END,
  category_told_at = CASE WHEN $7 <> '' THEN greatest(t.category_told_at, $3) ELSE t.category_told_at END,
  status_at = now()
FROM old
WHERE old.is_news AND t.organization_id = old.organization_id AND t.id = old.id
RETURNING t.organization_id, /*include columns*/,
  (t.status, t.status_reason, t.quality, t.category)
    IS DISTINCT FROM (old.status, old.status_reason, old.quality, old.category) AS changed
