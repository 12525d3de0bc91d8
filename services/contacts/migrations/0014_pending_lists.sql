-- A contact has some forty trigrams and characters: new entries wait in a list that is merged once it is full, which
-- costs a quarter of inserting each. A search reads the list from its beginning to its end, so it is short.
ALTER INDEX contact_search SET (fastupdate = on, gin_pending_list_limit = 512);
ALTER INDEX contact_characters SET (fastupdate = on, gin_pending_list_limit = 512);
