-- write()
-- When it is taken. Whoever reads it may take a while with each piece; and a walk of a table goes by its key's index,
-- whatever is known of how long it is.
WITH settings AS MATERIALIZED (
  SELECT set_config('idle_in_transaction_session_timeout', '60s', true), set_config('enable_seqscan', 'off', true),
         set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true),
         set_config('enable_incremental_sort', 'off', true)
)
SELECT now() FROM settings
