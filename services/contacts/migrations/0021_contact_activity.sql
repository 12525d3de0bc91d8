-- What contacts did, as conversations tells it, for conditions of segments. Days in UTC, so that a contact's row changes once a
-- day at most.
CREATE TABLE contact_activity (
  organization_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  inbound_on date NOT NULL DEFAULT '-infinity',   -- when it last wrote; -infinity: never
  campaign_on date NOT NULL DEFAULT '-infinity',  -- when a campaign's message was last sent to it
  PRIMARY KEY (organization_id, contact_id),
  FOREIGN KEY (organization_id, contact_id) REFERENCES contact ON DELETE CASCADE
);
CREATE INDEX contact_activity_inbound ON contact_activity (organization_id, inbound_on) WHERE inbound_on > '-infinity';
CREATE INDEX contact_activity_campaign ON contact_activity (organization_id, campaign_on) WHERE campaign_on > '-infinity';

-- Who received a campaign's message, and what they did with it. Columns only become true, so events may be repeated and in any
-- order. No index has `read`: the most frequent change updates the row in place.
CREATE TABLE campaign_recipient (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  read bool NOT NULL DEFAULT false,
  clicked bool NOT NULL DEFAULT false,
  replied bool NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, campaign_id, contact_id),
  FOREIGN KEY (organization_id, contact_id) REFERENCES contact ON DELETE CASCADE
) WITH (fillfactor = 85);
CREATE INDEX campaign_recipient_contact ON campaign_recipient (organization_id, contact_id);
CREATE INDEX campaign_recipient_clicked ON campaign_recipient (organization_id, campaign_id, contact_id) WHERE clicked;
CREATE INDEX campaign_recipient_replied ON campaign_recipient (organization_id, campaign_id, contact_id) WHERE replied;

-- The campaigns of campaign_recipient, with the time of their first row: the rows are removed 400 days later.
CREATE TABLE campaign_known (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, campaign_id)
);
CREATE INDEX campaign_known_since ON campaign_known (since);  -- of all organizations

-- The contacts that were merged into others, for what is told of them later: conversations hears of a merge after others, and
-- moves their messages in steps.
CREATE TABLE merged_contact (
  organization_id uuid NOT NULL,
  gone_id uuid NOT NULL,
  into_id uuid NOT NULL,
  merged_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, gone_id),
  FOREIGN KEY (organization_id, into_id) REFERENCES contact ON DELETE CASCADE
);
CREATE INDEX merged_contact_into ON merged_contact (organization_id, into_id);
CREATE INDEX merged_contact_at ON merged_contact (merged_at);

-- Raised with every change of these tables: totals of filters that read them are kept under it. Apart from the tally's version,
-- so that a running campaign leaves all other totals valid.
CREATE TABLE activity_version (
  organization_id uuid PRIMARY KEY,
  changes bigint NOT NULL
) WITH (fillfactor = 50);
