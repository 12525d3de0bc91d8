-- read(texts text[])
-- The words of each text as messages have them in their index; '' for none.
SELECT coalesce(folded_words(t.said), '')
FROM unnest($1) WITH ORDINALITY AS t (said, n)
ORDER BY t.n
