-- write(organization_id uuid, stop_words text[], start_words text[], stop_answer text, start_answer text)
INSERT INTO opt_out_settings (organization_id, stop_words, start_words, stop_answer, start_answer)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (organization_id) DO UPDATE
SET stop_words = $2, start_words = $3, stop_answer = $4, start_answer = $5, updated_at = now()
