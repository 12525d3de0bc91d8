-- write(organization_id uuid, ids uuid[], contact_id uuid)
-- Those of the lists that exist, and those that the contact is in: held against deletion, in one order with all who hold
-- lists.
SELECT id FROM list
WHERE organization_id = $1
  AND (id = ANY (ARRAY(SELECT unnest($2)))
    OR id IN (SELECT list_id FROM membership WHERE organization_id = $1 AND contact_id = $3))
ORDER BY id FOR KEY SHARE
