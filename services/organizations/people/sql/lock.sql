-- write(id uuid)
SELECT address_proved_at IS NOT NULL AS is_proved FROM person WHERE id = $1 FOR NO KEY UPDATE
