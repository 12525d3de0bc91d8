-- write()
-- Longer than whoever is read from may take for a piece.
SELECT set_config('idle_in_transaction_session_timeout', '90s', true)
