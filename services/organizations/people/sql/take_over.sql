-- write(id uuid, email text, name text)
-- Not now(), when the transaction began: those that it waited for may have made memberships since.
UPDATE person SET email = $2, name = $3, password_hash = NULL, address_proved_at = clock_timestamp(),
  taken_over_at = clock_timestamp()
WHERE id = $1
