-- read(organization_id uuid, search text, status text, list_id uuid, tag text, after uuid,
--   after_name text, per_page int8, skip int8)
-- `octets` is a running sum of message sizes, so that the caller can end the page at 4 MiB.
SELECT *
FROM (
  SELECT *, sum(octet_length(message::text) + octet_length(variants::text)) OVER (ROWS UNBOUNDED PRECEDING) AS octets
  FROM (
    SELECT /*include campaign*/
      /*include filters*/
      /*if by_name*/
        /*if after*/ AND (lower(c.name), c.id) /*if descending*/ < /*else*/ > /*end*/ (lower($7), $6) /*end*/
        ORDER BY lower(c.name) /*if descending*/ DESC /*end*/, c.id /*if descending*/ DESC /*end*/
      /*else*/
        /*if after*/ AND c.id /*if descending*/ < /*else*/ > /*end*/ $6 /*end*/
        ORDER BY c.id /*if descending*/ DESC /*end*/
      /*end*/
    LIMIT $8 OFFSET $9
  ) page
) page
WHERE octets - octet_length(message::text) - octet_length(variants::text) <= 4194304
