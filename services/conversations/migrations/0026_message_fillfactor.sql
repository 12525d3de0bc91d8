-- Room for the statuses of messages: a page that its inserts have filled leaves none, and then each status adds entries to
-- all indexes. Applies to new pages.
ALTER TABLE message SET (fillfactor = 70);
