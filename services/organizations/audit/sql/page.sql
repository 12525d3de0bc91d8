-- read(organization_id uuid, search text, action text, member_id uuid, from_moment timestamptz, to_moment timestamptz,
--   after_moment timestamptz, after_id uuid, per_page int8, skip int8)
SELECT a.id AS "uniqueId", a.created_at AS "createdAt", a.action, a.member_id AS "memberId",
  a.member_email AS "memberEmail", a.credential_id AS "credentialId", a.subject_id AS "subjectId", a.subject,
  a.address, a.request_id AS "requestId", a.before, a.after
/*include matching*/
/*if after*/ AND (a.created_at, a.id) /*if descending*/ < /*else*/ > /*end*/ ($7, $8) /*end*/
/*if descending*/ ORDER BY a.created_at DESC, a.id DESC /*else*/ ORDER BY a.created_at, a.id /*end*/
LIMIT $9 OFFSET $10
