-- read(phone_number_id text)
SELECT organization_id FROM phone_directory WHERE phone_number_id = $1
