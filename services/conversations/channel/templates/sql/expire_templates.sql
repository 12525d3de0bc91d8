-- write(business_account_id text)
UPDATE channel_list SET listed_at = '-infinity' WHERE business_account_id = $1 AND kind = 'Templates'
