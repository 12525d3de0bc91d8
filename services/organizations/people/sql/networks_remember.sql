-- write(person_id uuid, network bytea)
INSERT INTO known_network (person_id, network)
VALUES ($1, $2)
ON CONFLICT (person_id, network) DO UPDATE SET seen_at = now()
