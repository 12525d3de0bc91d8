#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/uuid.hpp"

namespace parley::conversations::search {

// What somebody types into a search box: words, all of which must be there in any order; "words in quotes", one behind
// the other; -word, which must not be there. The last word may be the beginning of one, unless it is quoted or followed
// by a blank. Anything is a search: there are no errors.
struct Term {
  std::string text;  // as typed; several words if it is quoted or has punctuation between them
  bool excluded = false;
  bool is_open = false;  // its last word may be the beginning of one
};
std::vector<Term> read_terms(std::string_view search);

// A term that must be there, as messages are compared with it: see folded_words() of the schema.
struct Sought {
  std::vector<std::string> words;  // one behind the other
  bool is_open = false;
};

struct Search {
  std::vector<Sought> sought;  // empty: the search has no word that must be there
  std::vector<std::vector<std::string>> excluded;

  // `folded`: the words of each term.
  static Search of(const std::vector<Term>& terms, const std::vector<std::string>& folded);
  // A tsquery for the index: all words, in no order.
  std::string words_of(const model::Uuid& organization) const;
  // Patterns of LIKE for a message's words between blanks. For the index's matches: only of what it does not know,
  // which words follow each other.
  std::vector<std::string> patterns() const;
  std::vector<std::string> phrases() const;
  std::vector<std::string> excluded_patterns() const;
};

}  // namespace parley::conversations::search
