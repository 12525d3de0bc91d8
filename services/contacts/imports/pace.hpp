#pragma once
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>

namespace parley::contacts::imports {

using boost::asio::awaitable;

// How large the batches of imports are, and when the next one begins: a request should not wait long behind an import.
// While few reads are under way, batches grow and follow one another at once. Many reads say that PostgreSQL or this
// process has no time to spare: then the next batch waits until they are few, and is half as large.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kFewestRows = 50, kMostRows = 2'000;
  static constexpr std::size_t kFewReads = 4;
  // The longest wait, in times of the batch before: imports have at least a quarter of the time, come what may. And at
  // most so long: a process that stops waits for it, and the import's lease goes on.
  static constexpr int kLongestWait = 3;
  static constexpr std::chrono::seconds kMostWait{1};

  // `reads` tells how many reads of this process have been sent or wait to be.
  explicit Pace(std::function<std::size_t()> reads) : reads_(std::move(reads)) {}

  // Rows of the next batch.
  std::size_t rows() const { return rows_; }
  // Call after each batch, with the time at which it began.
  awaitable<void> make_room(Clock::time_point begin);

 private:
  std::function<std::size_t()> reads_;
  std::size_t rows_ = kFewestRows;
};

}  // namespace parley::contacts::imports
