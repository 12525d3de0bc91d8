-- The words of messages, for the index of 0041. It calls these functions: one that gave another result would leave it wrong, so a
-- changed one gets a new name and a new index. None calls another, so that none depends on a search_path; PL/pgSQL keeps their
-- plans, which an insert of one message would otherwise make anew.

-- What people read of a message, NULL for nothing. Of a text the first 4,096 characters, which is the channel's longest.
CREATE FUNCTION message_said(message_type text, data jsonb) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  IF message_type = 'Text' THEN
    RETURN left(data ->> 'text', 4096);
  ELSIF message_type = 'Location' THEN
    RETURN left(coalesce(data ->> 'name', '') || ' ' || coalesce(data ->> 'address', ''), 4096);
  END IF;
  RETURN (SELECT left(string_agg(said #>> '{}', ' '), 4096) FROM jsonb_path_query(data,
    'strict $.** ? (@.type() == "object").keyvalue() ? (@.value.type() == "string" && (@.key == "text" || @.key == "caption"
      || @.key == "fileName" || @.key == "title" || @.key == "description" || @.key == "button" || @.key == "display_text"
      || @.key == "formatted_name")).value') AS said);
END $$;

-- The words of a text as they are compared: in lower case, without accents, one blank between two. Letters that Unicode does not
-- decompose become those that people type instead. Each character of Chinese and Japanese is a word, as blanks divide nothing
-- there. What is longer than 100 characters becomes several words, as an index takes none of any length. NULL if there is none.
CREATE FUNCTION folded_words(said text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
  folded text := lower(said);
BEGIN
  IF octet_length(said) <> length(said) THEN
    folded := regexp_replace(normalize(folded, NFKD), '[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u0652]+', '', 'g');
    folded := replace(translate(lower(folded), 'æðøþđħıłŋœŧ', 'adotdhilnot'), 'ß', 'ss');
    folded := regexp_replace(folded, '([\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff])', ' \1 ', 'g');
  END IF;
  folded := regexp_replace(folded, '[^[:alnum:]\u0900-\u0963\u0966-\u0dff]+', ' ', 'g');
  IF length(folded) > 100 THEN
    folded := regexp_replace(folded, '(\S{100})', '\1 ', 'g');
  END IF;
  RETURN nullif(trim(folded), '');
END $$;

-- Each word with its organization before it: an organization's words are an index of their own, whatever others write.
CREATE FUNCTION words_of_organization(organization uuid, words text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN array_to_tsvector(string_to_array(
    right(organization::text, 12) || replace(words, ' ', ' ' || right(organization::text, 12)), ' '));
