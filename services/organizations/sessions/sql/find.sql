-- read(id uuid, idle_seconds int8, organization_id uuid)
-- Acts in the requested organization, or else in the first one joined; those from before a take-over come last.
SELECT s.secret_hash, s.person_id, s.last_used_at < now() - interval '1 minute' AS use_is_due,
  (extract(epoch FROM least(s.expires_at, s.last_used_at + $2 * interval '1 second') - now()) * 1000)::int8 AS milliseconds,
  m.organization_id, m.id AS member_id, m.access_level,
  coalesce(m.requires_second_factor AND p.second_factor_at IS NULL, false) AS lacks_second_factor,
  coalesce((SELECT bit_or(r.permissions)
            FROM member_role x JOIN role r ON r.organization_id = x.organization_id AND r.id = x.role_id
            WHERE x.organization_id = m.organization_id AND x.member_id = m.id), 0) AS permissions
FROM session s
  JOIN person p ON p.id = s.person_id
  LEFT JOIN LATERAL (
    SELECT m.organization_id, m.id, m.access_level, o.requires_second_factor
    FROM member m JOIN organization o ON o.organization_id = m.organization_id AND o.deleted_at IS NULL
    WHERE m.person_id = s.person_id /*if chosen*/ AND m.organization_id = $3 /*end*/
    ORDER BY coalesce(m.created_at < p.taken_over_at, false), m.created_at, m.organization_id
    LIMIT 1) m ON true
WHERE s.id = $1 AND s.expires_at > now() AND s.last_used_at > now() - $2 * interval '1 second'
