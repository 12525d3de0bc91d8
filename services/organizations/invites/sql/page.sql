-- read(organization_id uuid, search text, status text, after_id uuid, after_email text, per_page int8, skip int8)
-- Ends with the row at which the texts of roles exceed 4 MiB. `octets` is the running sum, this row included.
SELECT "uniqueId", email, "accessLevel", status, "invitedBy", "createdAt", "expiresAt", "acceptedAt", role_ids, octets
FROM (
  SELECT *, (sum(own) OVER (ROWS UNBOUNDED PRECEDING))::int8 AS octets
  FROM (
    SELECT chosen.*,
      ARRAY(SELECT x.role_id FROM invite_role x
            WHERE x.organization_id = $1 AND x.invite_id = "uniqueId" ORDER BY x.role_id) AS role_ids,
      coalesce((SELECT sum(octet_length(r.name) + octet_length(r.description))
                FROM invite_role x JOIN role r ON r.organization_id = $1 AND r.id = x.role_id
                WHERE x.organization_id = $1 AND x.invite_id = "uniqueId"), 0) AS own
    FROM (
      SELECT /*include columns*/
      /*include ordered*/
    ) chosen
  ) page
) page
WHERE octets - own <= 4194304
