-- write(business_account_id text, id text, status text, reason text)
UPDATE template SET status = $3, status_reason = $4, status_at = now() WHERE business_account_id = $1 AND id = $2
