-- name: find read(organization_id uuid)
SELECT stop_words, start_words, stop_answer, start_answer FROM opt_out_settings WHERE organization_id = $1

-- name: lock write(organization_id uuid)
-- An advisory lock, since there may be no row to lock.
SELECT count(pg_advisory_xact_lock(hashtextextended('opt-out settings ' || $1, 0)))

-- name: save write(organization_id uuid, stop_words text[], start_words text[], stop_answer text, start_answer text)
INSERT INTO opt_out_settings (organization_id, stop_words, start_words, stop_answer, start_answer)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (organization_id) DO UPDATE
SET stop_words = $2, start_words = $3, stop_answer = $4, start_answer = $5, updated_at = now()
