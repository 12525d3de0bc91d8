// Words that opt out and in, as people write them: what a word is compared by is UTF-8, comes to itself, and does not
// depend on the case of its letters.
#include <clocale>
#include <cwctype>

#include "common/model/text.hpp"
#include "conversations/inbox/optout/store.hpp"
#include "conversations/inbox/optout/words.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;
using namespace parley::conversations::optout;

namespace {

// By the C library's idea of letters; a few have no single other case, or one of another alphabet.
std::string upper(std::string_view text) {
  static const auto* const locale = std::setlocale(LC_CTYPE, "C.UTF-8");
  std::string out;
  while (locale && !text.empty()) {
    const std::string one(model::first_characters(text, 1));
    text.remove_prefix(one.size());
    wchar_t letter = 0;
    std::mbtowc(&letter, one.data(), one.size());
    char octets[8];
    const auto size = std::wctomb(octets, static_cast<wchar_t>(std::towupper(static_cast<std::wint_t>(letter))));
    out.append(size > 0 ? std::string(octets, static_cast<std::size_t>(size)) : one);
  }
  return out;
}

}  // namespace

FUZZ(opt_out_words) {
  const std::string text(input.rest());
  const auto folded = fold(text);
  MUST_EQUAL(fold(folded), folded);
  if (!model::count_characters(text)) return;
  MUST(model::count_characters(folded));
  MUST(folded.size() <= 4 * text.size());
  MUST_EQUAL(fold("¡" + text + "!"), folded);
  MUST_EQUAL(fold(" \xE2\x80\x8F" + text + "\n"), folded);
  MUST_EQUAL(fold(upper(text)), folded);
  if (folded.empty()) return;
  const Words words({{text}, {}, {}, {}});
  MUST(words.meaning_of(text) == Words::Meaning::stop);
}
