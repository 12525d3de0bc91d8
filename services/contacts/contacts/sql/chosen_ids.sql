-- read()
-- As choose has chosen them in this transaction.
SELECT unnest(current_setting('parley.chosen', true)::uuid[]) AS id
