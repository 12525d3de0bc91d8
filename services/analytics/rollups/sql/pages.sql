-- write(table_name text)
SELECT pg_relation_size($1::regclass) / current_setting('block_size')::int8
