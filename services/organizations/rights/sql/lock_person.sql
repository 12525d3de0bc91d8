-- write(id uuid)
-- Whoever ends all that a person has waits for this, or this for them.
SELECT id FROM person WHERE id = $1 FOR NO KEY UPDATE
