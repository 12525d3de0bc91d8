-- Version 1 of audience

-- These are inlined: so they have no SET, and name nothing of this schema but each other.

-- The value of a campaign's variable.
CREATE OR REPLACE FUNCTION variable_value(of_name text, of_phone text, of_attributes jsonb, variable text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE variable WHEN 'name' THEN of_name WHEN 'phone' THEN of_phone ELSE of_attributes ->> variable END
$$;

-- contracts::contacts::ValueKind. Blank is what model::is_blank() says; percent-encoded, an octet has 3 unless it is one of
-- the unreserved characters. The usual case comes first.
CREATE OR REPLACE FUNCTION value_kind(v text, whole bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE
    WHEN ascii(v) BETWEEN 33 AND 126 AND 3 * octet_length(v) <= whole THEN 1
    WHEN v IS NULL OR ltrim(v, E'\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\u0009\u000A\u000B\u000C\u000D\u000E\u000F\u0010'
        '\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001A\u001B\u001C\u001D\u001E\u001F\u0020'
        '\u007F\u00A0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u200B\u2028\u2029'
        '\u202A\u202B\u202C\u202D\u202E\u202F\u2060\u3000\uFEFF') = '' THEN 0
    WHEN 3 * octet_length(v) <= whole THEN 1
    WHEN octet_length(v) > whole THEN 3
    WHEN 3 * octet_length(v) - 2 * length(regexp_replace(v COLLATE "C", '[^A-Za-z0-9._~-]', '', 'g')) <= whole THEN 1
    ELSE 2 END::bigint
$$;
