-- Channel user ids that contacts have given up: a message that was sent under one, or a change that is told late or again,
-- finds its contact. An id that a contact has at present is nobody's former one.
CREATE TABLE former_channel_user (
  organization_id uuid NOT NULL,
  channel_user_id text NOT NULL,
  contact_id uuid NOT NULL,
  PRIMARY KEY (organization_id, channel_user_id),
  FOREIGN KEY (organization_id, contact_id) REFERENCES contact ON DELETE CASCADE
);
CREATE INDEX former_channel_user_contact ON former_channel_user (organization_id, contact_id);
