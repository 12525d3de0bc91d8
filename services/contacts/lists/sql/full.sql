-- write(organization_id uuid, list_id uuid, contact_ids uuid[], most int8)
-- Those that are in so many lists already, and not in this one. Of lists that were deleted there may be rows left.
SELECT given.id
FROM unnest($3) AS given(id)
WHERE (SELECT count(*)
       FROM (SELECT FROM membership m
             WHERE m.organization_id = $1 AND m.contact_id = given.id
               AND EXISTS (SELECT FROM list l WHERE l.organization_id = $1 AND l.id = m.list_id)
             LIMIT $4) m) >= $4
  AND NOT EXISTS (SELECT FROM membership m
                  WHERE m.organization_id = $1 AND m.list_id = $2 AND m.contact_id = given.id)
ORDER BY given.id
