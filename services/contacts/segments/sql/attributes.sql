-- slow(organization_id uuid, examined int8, most int8)
-- The keys of the newest $2 contacts' attributes, and what their values can be read as, each as the first that fits. Null is
-- no value. Most texts do not begin like a number, and need no closer look.
SELECT key AS name, count(*) AS "numberOfContacts",
  count(*) FILTER (WHERE kind = 'number') AS number, count(*) FILTER (WHERE kind = 'date') AS date,
  count(*) FILTER (WHERE kind = 'yesNo') AS "yesNo", count(*) FILTER (WHERE kind = 'text') AS text,
  count(*) FILTER (WHERE kind = 'other') AS other
FROM (
  SELECT e.key, CASE
      WHEN jsonb_typeof(e.value) IN ('object', 'array') THEN 'other'
      WHEN jsonb_typeof(e.value) = 'boolean' THEN 'yesNo'
      WHEN jsonb_typeof(e.value) = 'number' THEN 'number'
      WHEN v.text IN ('true', 'True', 'TRUE', 'yes', 'Yes', 'YES', 'false', 'False', 'FALSE', 'no', 'No', 'NO') THEN 'yesNo'
      WHEN v.text !~ '^[ 0-9+.-]' THEN 'text'
      WHEN jsonb_path_exists(e.value, 'strict $.double()', '{}', true) THEN 'number'
      WHEN v.text ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])($|[T ])' THEN 'date'
      ELSE 'text' END AS kind
  FROM (SELECT attributes FROM contact WHERE organization_id = $1 ORDER BY id DESC LIMIT $2) c
    CROSS JOIN LATERAL jsonb_each(c.attributes) e
    CROSS JOIN LATERAL (SELECT e.value #>> '{}' AS text) v
  WHERE e.value <> 'null'
  OFFSET 0  -- computes each kind once
) e
GROUP BY key
ORDER BY count(*) DESC, key
LIMIT $3
