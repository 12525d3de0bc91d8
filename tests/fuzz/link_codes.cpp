// Codes of links: whatever is read is written the same; no code fits another URL's secret, nor one that was changed.
#include "conversations/campaigns/links/code.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley::conversations::links;

FUZZ(link_codes) {
  const auto at = input.choice(16), bit = input.choice(8);
  const auto text = input.rest();
  const std::string secret(16, 's'), other(16, 'o');
  if (const auto code = Code::read(text)) {
    MUST_EQUAL(code->text(), text);
    MUST(code->url_id() >= 0 && code->url_id() < (std::int64_t{1} << 32));
    MUST(code->ordinal() >= 0 && code->ordinal() < (1 << 24));
    if (code->url_id() > 0) {
      const auto made = Code::make(code->url_id(), code->ordinal(), secret);
      MUST(made.url_id() == code->url_id() && made.ordinal() == code->ordinal());
      MUST(made.matches(secret) && !made.matches(other));
      MUST(code->matches(secret) == (made.text() == code->text()));
      auto changed = made.text();
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      const auto read = Code::read(changed);
      MUST(!read || !read->matches(secret));
    }
  }
}
