-- Contacts as users of the channel.

-- When the contact got its status: among what members say here and what contacts say in conversations (STOP, START) the
-- newer word holds. -infinity: nobody has said anything yet. Whole milliseconds, as events carry no more.
ALTER TABLE contact ADD COLUMN status_at timestamptz NOT NULL DEFAULT '-infinity';

-- What conversations are told again should they have lost it.
CREATE INDEX contact_status_at ON contact (organization_id, id) WHERE status_at > '-infinity';
