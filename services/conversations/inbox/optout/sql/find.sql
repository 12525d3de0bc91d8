-- read(organization_id uuid)
SELECT stop_words, start_words, stop_answer, start_answer FROM opt_out_settings WHERE organization_id = $1
