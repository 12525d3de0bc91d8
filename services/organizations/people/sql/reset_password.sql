-- write(id uuid, password_hash text)
UPDATE person SET password_hash = $2, address_proved_at = coalesce(address_proved_at, now()) WHERE id = $1
