-- write(organization_id uuid, merged_id uuid, most int8)
-- Of conversations that were moved.
UPDATE message m SET contact_id = held.into_id
FROM (SELECT x.id, g.into_id
      FROM merged_contact g
        JOIN conversation c ON c.organization_id = $1 AND c.contact_id = g.into_id
        JOIN message x ON x.organization_id = $1 AND x.conversation_id = c.id AND x.contact_id = g.contact_id
      WHERE g.organization_id = $1 AND g.contact_id = $2
      ORDER BY x.id LIMIT $3
      FOR NO KEY UPDATE OF x) held
WHERE m.organization_id = $1 AND m.id = held.id
