-- name: find read(person_id uuid, code_hash bytea)
SELECT f.id, f.secret, f.last_step, p.second_factor_at IS NOT NULL AS is_on,
  EXISTS (SELECT FROM recovery_code r WHERE r.person_id = $1 AND r.code_hash = $2) AS is_recovery_code
FROM second_factor f JOIN person p ON p.id = f.person_id
WHERE f.person_id = $1

-- name: lock_person write(id uuid)
-- Against sign-ins, and other changes of the second factor.
SELECT email, second_factor_at IS NOT NULL AS is_on FROM person WHERE id = $1 FOR NO KEY UPDATE

-- name: sealed read(organization_id uuid, id uuid, most int8)
-- The person stands in the organization's place, as in the sealed text.
SELECT person_id AS organization_id, '00000000-0000-0000-0000-000000000000'::uuid AS id, ARRAY[secret] AS sealed
FROM second_factor
WHERE (person_id, '00000000-0000-0000-0000-000000000000'::uuid) > ($1, $2)
ORDER BY person_id LIMIT $3

-- name: begin write(person_id uuid, id uuid, secret text)
INSERT INTO second_factor (person_id, id, secret)
VALUES ($1, $2, $3)
ON CONFLICT (person_id) DO UPDATE SET id = excluded.id, secret = excluded.secret, last_step = 0, created_at = now()

-- name: forget write(person_id uuid)
-- Its recovery codes go with it.
DELETE FROM second_factor WHERE person_id = $1

-- name: forget_recovery_codes write(person_id uuid)
DELETE FROM recovery_code WHERE person_id = $1

-- name: insert_recovery_codes write(person_id uuid, code_hashes bytea[])
INSERT INTO recovery_code (person_id, code_hash) SELECT $1, unnest($2)

-- name: reseal write(organization_id uuid, id uuid, old text[], new text[])
UPDATE second_factor SET secret = $4[1] WHERE person_id = $1 AND $2 IS NOT NULL AND ARRAY[secret] = $3

-- name: switch_off write(person_id uuid)
UPDATE person SET second_factor_at = NULL WHERE id = $1

-- name: switch_on write(person_id uuid)
UPDATE person SET second_factor_at = date_trunc('milliseconds', now()) WHERE id = $1

-- name: use_recovery_code write(person_id uuid, code_hash bytea)
DELETE FROM recovery_code WHERE person_id = $1 AND code_hash = $2

-- name: use_step write(person_id uuid, id uuid, step int8)
-- Changes no row if the code was used, or another secret was made, since it was looked at.
UPDATE second_factor SET last_step = $3 WHERE person_id = $1 AND id = $2 AND last_step < $3
