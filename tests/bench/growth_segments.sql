-- Segments of the contacts of contacts.sql: few, half, and most of them. In the schema of contacts.
-- psql -v organization=UUID
\set ON_ERROR_STOP on
CREATE FUNCTION pg_temp.numbered(kind int, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
$$ SELECT (lpad(to_hex(1767225600000 + n), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid $$;

INSERT INTO segment (organization_id, id, name, filter)
SELECT :'organization', pg_temp.numbered(9, n), 'Segment ' || n || ' of Lima', filter
FROM (VALUES
  (1, jsonb_build_object('type', 'all', 'conditions', jsonb_build_array(
        '{"type": "text", "attribute": "city", "operator": "is", "values": ["Lima"]}'::jsonb,
        jsonb_build_object('type', 'tag', 'tagIds', jsonb_build_array(pg_temp.numbered(1, 2)))))),
  (2, jsonb_build_object('type', 'any', 'conditions', jsonb_build_array(
        '{"type": "text", "attribute": "plan", "operator": "is", "values": ["pro"]}'::jsonb,
        jsonb_build_object('type', 'list', 'listIds', jsonb_build_array(pg_temp.numbered(2, 3)))))),
  (3, jsonb_build_object('type', 'not', 'condition',
        jsonb_build_object('type', 'list', 'listIds', jsonb_build_array(pg_temp.numbered(2, 3)))))) AS given (n, filter);
