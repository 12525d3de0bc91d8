-- Whose an e-mail address is, the first password, and where people sign in from.

-- Since when the address is known to be the person's: by the word of an operator, or by a token that an operator handed
-- out. Whoever registers or accepts an invitation may have named somebody else's address: null.
ALTER TABLE person ADD COLUMN address_proved_at timestamptz;
-- When an operator gave the address to somebody else than who was first with it: memberships from before are theirs.
ALTER TABLE person ADD COLUMN taken_over_at timestamptz;

-- Who was made by an operator's command, in one transaction with a membership that the audit says was made by one. Who
-- was there before such a command is not among them.
UPDATE person p SET address_proved_at = p.created_at
WHERE EXISTS (
  SELECT FROM member m JOIN audit a ON a.organization_id = m.organization_id
  WHERE m.person_id = p.id AND m.created_at = p.created_at AND a.created_at = p.created_at::timestamptz(3)
    AND a.member_id IS NULL
    AND (a.action = 'OrganizationCreated' AND a.request_id = 'create-owner'
         OR a.action = 'MemberJoined' AND a.request_id = 'add-member' AND a.subject_id = m.id));

-- Whoever has the token sets the person's password, once. Of the token's secret only its SHA-256 is here. A person has
-- one, the last that an operator asked for.
CREATE TABLE password_token (
  person_id uuid NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  expires_at timestamptz NOT NULL
);

-- Where a person signed in from: a hash of the person and the network, as in sign_in_attempt.
CREATE TABLE known_network (
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  network bytea NOT NULL CHECK (octet_length(network) = 32),
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (person_id, network)
);
