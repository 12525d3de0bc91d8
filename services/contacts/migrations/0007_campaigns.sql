-- Which campaigns a list was used by, so that list.campaigns_sent counts each once, however often conversations tells of
-- its start.
CREATE TABLE list_campaign (
  organization_id uuid NOT NULL,
  list_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  PRIMARY KEY (organization_id, list_id, campaign_id),
  FOREIGN KEY (organization_id, list_id) REFERENCES list ON DELETE CASCADE
);
