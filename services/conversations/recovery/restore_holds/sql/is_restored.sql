-- read()
SELECT is_restored()
