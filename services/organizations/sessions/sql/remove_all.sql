-- write()
-- A token for a password that was used since the backup is not good again either.
TRUNCATE session, password_token
