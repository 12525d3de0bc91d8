-- slow()
-- Reads the whole time zone database: asked once a process.
SELECT name FROM pg_timezone_names
WHERE name !~ '^(posix|right)/' AND name NOT IN ('localtime', 'posixrules', 'Factory')
