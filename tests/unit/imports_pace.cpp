// The size of imports' batches, and the wait between them.
#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "contacts/imports/pace.hpp"

using namespace parley::contacts::imports;
namespace asio = boost::asio;

namespace {

struct Bed {
  std::size_t reads = 0;
  int looks = 0;
  std::function<void()> at_look = [] {};
  Pace pace{[this] {
    ++looks;
    at_look();
    return reads;
  }};

  // After a batch that took so long.
  void make_room(Pace::Clock::duration batch) {
    asio::io_context context;
    bool over = false;
    asio::co_spawn(context, pace.make_room(Pace::Clock::now() - batch), [&](std::exception_ptr thrown) {
      CHECK_FALSE(thrown);
      over = true;
    });
    while (!over) REQUIRE(context.run_one_for(std::chrono::seconds(30)) > 0);
  }
};

}  // namespace

TEST_CASE("imports: batches grow while few reads are under way, and none waits") {
  Bed bed;
  bed.reads = Pace::kFewReads;
  auto expected = Pace::kFewestRows;
  for (int i = 0; i < 100; ++i) {
    CHECK_EQ(bed.pace.rows(), std::min(expected, Pace::kMostRows));
    bed.make_room(std::chrono::hours(1));
    expected += Pace::kFewestRows;
  }
  CHECK_EQ(bed.looks, 100);
  CHECK_EQ(bed.pace.rows(), Pace::kMostRows);
}

TEST_CASE("imports: while many reads are under way a batch waits until there are few, and the next ones are small") {
  Bed bed;
  for (int i = 0; i < 3; ++i) bed.make_room({});
  bed.reads = Pace::kFewReads + 1;
  bed.looks = 0;
  bed.at_look = [&] {
    if (bed.looks == 5) bed.reads = 0;
  };
  bed.make_room(std::chrono::hours(1));
  CHECK_EQ(bed.looks, 5);
  CHECK_EQ(bed.pace.rows(), 2 * Pace::kFewestRows);
  for (int i = 0; i < 4; ++i) {  // not below the fewest
    bed.reads = Pace::kFewReads + 1;
    bed.looks = 0;
    bed.make_room(std::chrono::hours(1));
  }
  CHECK_EQ(bed.pace.rows(), Pace::kFewestRows);
}

TEST_CASE("imports: reads that stay many hold up no batch for ever") {
  Bed bed;
  bed.reads = 1'000'000;
  for (const Pace::Clock::duration batch : {std::chrono::milliseconds(3), std::chrono::milliseconds(3'600'000)}) {
    bed.looks = 0;
    bed.make_room(batch);
    CHECK_GT(bed.looks, 1);
  }
}
