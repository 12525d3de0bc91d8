-- What start has set of a campaign, and unschedule takes back: the account's number where the campaign named none, and the
-- moment of a start that waits so that it can be taken back.
ALTER TABLE campaign
  ADD COLUMN number_by_start bool NOT NULL DEFAULT false,
  ADD COLUMN time_by_start bool NOT NULL DEFAULT false;

-- URLs that the campaign's messages no longer have: their links lead on, as they may be in test messages, but are not shown.
ALTER TABLE campaign_url ADD COLUMN withdrawn bool NOT NULL DEFAULT false;
