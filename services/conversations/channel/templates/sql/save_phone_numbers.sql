-- write(organization_id uuid, business_account_id text, ids text[], display_phone_numbers text[], verified_names text[],
--   quality_ratings text[], throughputs text[], registered bool[], messaging_limits text[])
INSERT INTO phone_number (organization_id, id, business_account_id, display_phone_number, verified_name, quality_rating,
  throughput, registered, messaging_limit)
SELECT DISTINCT ON (l.id) $1, l.id, $2, l.display_phone_number, l.verified_name, l.quality_rating, l.throughput,
  l.registered, nullif(l.messaging_limit, '')
FROM unnest($3, $4, $5, $6, $7, $8, $9)
  AS l (id, display_phone_number, verified_name, quality_rating, throughput, registered, messaging_limit)
ON CONFLICT (organization_id, id) DO UPDATE
SET business_account_id = excluded.business_account_id, display_phone_number = excluded.display_phone_number,
  verified_name = excluded.verified_name, quality_rating = excluded.quality_rating, throughput = excluded.throughput,
  registered = excluded.registered, messaging_limit = excluded.messaging_limit
