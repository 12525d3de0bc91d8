-- A stranger's webhook is put on hold while contacts is asked: room for that version in its page spares two index entries
-- and a search for another page. Rows are soon deleted, so the room costs nothing for long.
ALTER TABLE inbox SET (fillfactor = 50);
