-- write(person_id uuid, most int8, days int8)
-- What others touch at the moment is pruned another time.
DELETE FROM known_network
WHERE person_id = $1
  AND network IN (SELECT network FROM known_network
                  WHERE person_id = $1
                    AND (seen_at < now() - $3 * interval '1 day'
                         OR network IN (SELECT network FROM known_network WHERE person_id = $1
                                        ORDER BY seen_at DESC, network OFFSET $2))
                  FOR UPDATE SKIP LOCKED)
