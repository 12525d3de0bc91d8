-- read()
-- For the rest of the transaction. A plan that is made when the tables are small lasts, also when a campaign has filled
-- them a minute later.
SELECT set_config('enable_seqscan', 'off', true)
