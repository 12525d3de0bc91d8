-- read(organization_id uuid, search text, action text, member_id uuid, from_moment timestamptz, to_moment timestamptz,
--   after_moment timestamptz, after_id uuid, per_page int8, skip int8)
-- An index has the ids of those that match. A search looks at 20,000 entries in order, at most; `ends` is the last one
-- of those, which may match or not: the next page goes on behind it, and skips what this one had still to skip. Its LIMIT is a subquery, which the planner
-- takes for a tenth of the entries: it would rather sort all than walk over most of them.
SELECT e.id AS "uniqueId", e.created_at AS "createdAt", e.action, e.member_id AS "memberId",
  e.member_email AS "memberEmail", e.credential_id AS "credentialId", e.subject_id AS "subjectId", e.subject,
  e.address, e.request_id AS "requestId", e.before, e.after, a.matches, a.ends, a.skip_left
FROM (
    /*if by_search*/
    SELECT a.id, a.created_at, a.matches AND a.nth > $10 AS matches, a.ends, greatest(0, $10 - a.nth) AS skip_left
    FROM (
        SELECT a.*, count(*) FILTER (WHERE a.matches) OVER looked_at AS nth,
          row_number() OVER looked_at = 20000 AS ends
        FROM (
            SELECT a.id, a.created_at, /*include found*/ AS matches
            FROM (
                SELECT a.id, a.created_at, a.subject, a.member_email
                FROM audit a
                WHERE /*include filters*/ /*include behind*/
                ORDER BY /*include order*/
                LIMIT (SELECT 20000)
              ) a
          ) a
        WINDOW looked_at AS (ORDER BY /*include order*/)
      ) a
    WHERE (a.matches AND a.nth > $10) OR a.ends
    ORDER BY /*include order*/
    LIMIT $9
    /*else*/
    SELECT a.id, a.created_at, true AS matches, false AS ends, 0::int8 AS skip_left
    FROM audit a
    WHERE /*include filters*/ /*include behind*/
    ORDER BY /*include order*/
    LIMIT $9 OFFSET $10
    /*end*/
  ) a
  JOIN audit e ON e.organization_id = $1 AND e.id = a.id
ORDER BY /*include order*/
