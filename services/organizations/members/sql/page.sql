-- read(organization_id uuid, search text, access_level text, role_id uuid, after_id uuid, after_text text, per_page int8,
--   skip int8)
-- Ends with the row at which the texts of roles exceed 4 MiB. `octets` is the running sum, this row included.
SELECT "uniqueId", "createdAt", "accessLevel", name, email, role_ids, octets
FROM (
  SELECT *, (sum(own) OVER (ROWS UNBOUNDED PRECEDING))::int8 AS octets
  FROM (
    SELECT chosen.*, /*include their_roles*/
    FROM (
      SELECT m.id AS "uniqueId", m.created_at AS "createdAt", m.access_level AS "accessLevel", p.name, p.email
      /*include ordered*/
    ) chosen
  ) page
) page
WHERE octets - own <= 4194304
