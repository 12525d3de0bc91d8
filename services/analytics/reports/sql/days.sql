-- read(first_day text, last_day text, zone text)
-- When the first day begins, and when the last one is over.
SELECT $1::date::timestamp AT TIME ZONE $3 AS starts, ($2::date + 1)::timestamp AT TIME ZONE $3 AS ends
