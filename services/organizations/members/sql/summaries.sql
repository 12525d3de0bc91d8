-- read(organization_id uuid, ids uuid[])
-- Ends with the row at which the texts of roles exceed 1 MiB. `octets` is the running sum, this row included.
SELECT "uniqueId", "createdAt", "accessLevel", name, email, role_ids, octets
FROM (
  SELECT *, (sum(own) OVER (ROWS UNBOUNDED PRECEDING))::int8 AS octets
  FROM (
    SELECT chosen.*, /*include their_roles*/
    FROM (
      SELECT m.id AS "uniqueId", m.created_at AS "createdAt", m.access_level AS "accessLevel", p.name, p.email
      FROM member m JOIN person p ON p.id = m.person_id
      WHERE m.organization_id = $1 AND m.id = ANY($2)
      ORDER BY m.id
    ) chosen
  ) page
) page
WHERE octets - own <= 1048576
