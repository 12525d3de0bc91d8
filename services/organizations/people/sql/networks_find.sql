-- read(person_id uuid, network bytea, days int8)
SELECT EXISTS (SELECT FROM known_network
               WHERE person_id = $1 AND network = $2 AND seen_at > now() - $3 * interval '1 day')
