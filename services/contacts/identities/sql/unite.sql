-- write(organization_id uuid, from_id uuid, into_id uuid, most_octets int4)
-- Attributes of `into` win, and stay alone if the union is too long. A name that copies the number or id is replaced.
-- The newer status wins, but Blocked stays.
UPDATE contact i
SET name = CASE WHEN i.name IN (i.phone, i.channel_user_id) THEN f.name ELSE i.name END,
  attributes = CASE WHEN octet_length((f.attributes || i.attributes)::text) <= $4 THEN f.attributes || i.attributes
                    ELSE i.attributes END,
  status = CASE WHEN 'Blocked' IN (f.status, i.status) THEN 'Blocked'
                WHEN f.status_at > i.status_at THEN f.status
                ELSE i.status END,
  status_at = greatest(f.status_at, i.status_at) + interval '1 millisecond'
FROM contact f
WHERE i.organization_id = $1 AND i.id = $3 AND f.organization_id = $1 AND f.id = $2
RETURNING i.status, nullif(i.status_at, '-infinity') AS at
