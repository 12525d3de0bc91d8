// The ids of the events of GET /api/events.
#include "conversations/events/stream/position.hpp"

#include <doctest/doctest.h>

using namespace parley;
using conversations::stream::Position;

TEST_SUITE("unit: places in a stream") {
  TEST_CASE("a place is read as it was written") {
    for (const Position& place :
         {Position{}, Position{model::new_uuid(), 0, 0}, Position{model::new_uuid(), 1'234'567'890'123, 7},
          Position{model::new_uuid(), std::numeric_limits<std::int64_t>::max(), Position::kWhole}}) {
      const auto text = place.text();
      CHECK_EQ(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"), text.npos);
      const auto read = Position::parse(text);
      REQUIRE(read);
      CHECK(*read == place);
    }
  }

  TEST_CASE("what is no place is none") {
    const auto text = Position{model::new_uuid(), 5, 1}.text();
    for (const std::string& wrong : {std::string(), std::string("0"), text.substr(1), text + "A", text + "\n",
                                     std::string(text.size(), '!'), std::string(text.size(), '_')}) {
      INFO(wrong);
      CHECK_FALSE(Position::parse(wrong));
    }
  }
}
