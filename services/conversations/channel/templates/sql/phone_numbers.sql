-- read(organization_id uuid, business_account_id text)
SELECT p.id, p.display_phone_number, p.verified_name, p.quality_rating, p.throughput, p.messaging_limit,
  p.registered,
  s.phone_number_id IS NOT NULL AS stopped, s.stopped_until, s.stop_code, s.stop_text
FROM phone_number p
LEFT JOIN LATERAL (
  SELECT phone_number_id, nullif(stopped_until, 'infinity') AS stopped_until, stop_code, stop_text
  FROM sender WHERE organization_id = $1 AND phone_number_id = p.id AND stopped_until > now()
) s ON true
WHERE p.organization_id = $1 AND p.business_account_id = $2
ORDER BY p.id
