-- write(organization_id uuid, id uuid)
SELECT c.contact_id, c.status, c.tombstone,
  (SELECT max(w.last_inbound_at) + interval '24 hours' FROM conversation w
   WHERE w.organization_id = $1 AND w.contact_id = c.contact_id) AS service_window_ends_at
FROM conversation c
WHERE c.organization_id = $1 AND c.id = $2
FOR NO KEY UPDATE OF c
