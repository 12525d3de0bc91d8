-- write(producer text, exact_from timestamptz)
INSERT INTO feed_coverage (producer, exact_from) VALUES ($1, $2)
ON CONFLICT (producer) DO UPDATE SET exact_from = excluded.exact_from
