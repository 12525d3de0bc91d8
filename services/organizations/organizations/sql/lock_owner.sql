-- write(person_id uuid)
-- One at a time makes a person the Owner of something.
SELECT most_organizations FROM person WHERE id = $1 FOR NO KEY UPDATE
