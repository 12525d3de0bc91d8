-- Mails to be sent. A row is put in the transaction of what the mail tells, and deleted once the mail was sent or given
-- up; what it tells is looked up when it is sent.
CREATE TABLE mail (
  id uuid NOT NULL PRIMARY KEY,
  -- Request: for a link that sets a password, by who may have no account. Password: that link. Invitation.
  kind text NOT NULL CHECK (kind IN ('Request', 'Password', 'Invitation')),
  secret text NOT NULL,  -- sealed: of a Request the e-mail address, otherwise the token
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,  -- given up then
  due_at timestamptz NOT NULL DEFAULT now(),
  tries int NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE INDEX mail_due ON mail (due_at);
