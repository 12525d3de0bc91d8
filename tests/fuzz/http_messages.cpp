// Requests and responses with their bodies and chunks: however they are cut, the reader says the same, and what it lets
// through is framed in one way.
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/message_reading.hpp"

using namespace parley;

namespace {

template <bool is_request>
void compare(std::string_view octets, std::size_t first, std::size_t second, bool close) {
  static const std::vector<std::string> streamed{"/files"};
  const http::ReaderLimits limits{.head = 512, .fields = 8, .target = 64, .body = 256, .streamed = streamed};
  const auto whole = support::read_messages<is_request>(octets, {}, limits, close);
  MUST_EQUAL(whole.broken, "");
  MUST((whole.fault == 0) == whole.reason.empty() || close);
  for (const auto& pieces : {std::vector<std::size_t>{0}, {first + 1}, {first + 1, second + 1}, {first + 1, 0}}) {
    const auto cut = support::read_messages<is_request>(octets, pieces, limits, close);
    MUST_EQUAL(cut.heads, whole.heads);
    MUST_EQUAL(cut.reason, whole.reason);
    MUST(cut.fault == whole.fault && cut.broken.empty());
    // Of a message that is broken in its midst there may have come more or less.
    const auto of_whole_messages = [&](const support::Reading& reading) {
      return whole.fault == 0 ? reading.bodies : reading.bodies.substr(0, reading.bodies.rfind('|') + 1);
    };
    const bool can_tell = whole.fault == 0 || octets.find('|') == octets.npos;  // which stands between bodies
    if (can_tell) MUST_EQUAL(of_whole_messages(cut), of_whole_messages(whole));
  }
}

}  // namespace

FUZZ(http_messages) {
  const bool is_request = input.choice(2) == 0, close = input.choice(2) == 1;
  const auto first = input.choice(256), second = input.choice(256);
  is_request ? compare<true>(input.rest(), first, second, close) : compare<false>(input.rest(), first, second, close);
}
