-- Chance that comes out the same every time, and ids of version 7. Whoever includes this drops them at the end: nobody else
-- sees them, as all is one transaction.

-- From 0 up to 1.
CREATE FUNCTION demo_chance(key text) RETURNS double precision
  LANGUAGE sql IMMUTABLE AS $$ SELECT ('x' || substr(md5(key), 1, 8))::bit(32)::bigint / 4294967296.0 $$;

CREATE FUNCTION demo_pick(key text, from_these text[]) RETURNS text
  LANGUAGE sql IMMUTABLE AS $$ SELECT from_these[1 + floor(demo_chance(key) * cardinality(from_these))::int] $$;

-- An id of version 7 made at a moment.
CREATE FUNCTION demo_id(moment timestamptz, key text) RETURNS uuid
  LANGUAGE sql STABLE AS $$
    SELECT (lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '7' || substr(md5(key), 1, 3) ||
            to_hex(8 + ('x' || substr(md5(key), 4, 1))::bit(4)::int % 4) || substr(md5(key), 5, 15))::uuid $$;

-- When the recipient of a campaign's message followed its link: within 60 hours, which are over for all of them.
CREATE FUNCTION demo_clicks(message_id uuid, status text, sent_at timestamptz) RETURNS SETOF timestamptz
  LANGUAGE sql STABLE AS $$
    SELECT at FROM (SELECT sent_at + demo_chance(message_id || 'click' || n) * n * interval '20 hours' AS at
                    FROM generate_series(1, 1 + floor(demo_chance(message_id || 'clicks') * 3)::int) n) clicks
    WHERE status = 'Read' AND demo_chance(message_id || 'clicked') < 0.3 $$;
