// Texts by characters and octets: what is cut or mended is UTF-8, and no longer than was asked for.
#include "common/model/text.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;

FUZZ(text) {
  const auto most = input.choice(40);
  const auto text = input.rest();
  const auto mended = model::repaired(text);
  const auto count = model::count_characters(mended);
  MUST(count && mended.find('\0') == mended.npos);
  MUST_EQUAL(model::repaired(mended), mended);
  if (model::count_characters(text) && text.find('\0') == text.npos) MUST_EQUAL(mended, text);
  MUST(model::first_characters(text, most).size() <= text.size());

  const auto characters = model::first_characters(mended, most);
  MUST(model::count_characters(characters) == std::min(most, *count));
  const auto octets = model::first_octets(mended, most);
  MUST(octets.size() <= most && model::count_characters(octets));
  MUST(octets.size() + 3 >= std::min(most, mended.size()));
  if (model::is_blank(mended)) MUST(model::is_blank(octets));
  MUST(model::equals_ignoring_case(text, text));
}
