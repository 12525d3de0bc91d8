#pragma once
// What a feed's figures can be relied on for. A feed that was restored from a backup, or that has dropped events before
// they were read here, cannot be counted anew: it holds little more than its last minutes. So what was counted stays,
// counting goes on from what there is, and it is told from when on figures are exact.
#include <boost/asio/awaitable.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::analytics::rollups {

using boost::asio::awaitable;

// Events of a restored feed that were applied before it was restored.
struct Repeated {
  std::int64_t position = 0;
  model::Timestamp until;
  bool has(const events::Event& event) const { return event.at && event.position <= position && *event.at <= until; }
};
awaitable<std::optional<Repeated>> find_repeated(pg::Transaction& transaction, std::string_view producer);

// Adds to a transaction that applies events how far its feed has been applied.
void note_progress(pg::Batch& batch, std::string_view producer, std::span<const events::Event> events);

// For events::ConsumerWork::forget, whose transaction has moved the cursor. True: the feed is read from its very
// beginning, so all that was counted is to be cleared. Otherwise it stays.
awaitable<bool> begin_anew(pg::Transaction& transaction, std::string_view producer);

// A feed whose figures of before a moment may lack or repeat something.
struct Inexact {
  std::string producer;
  model::Timestamp exact_from;
};
BOOST_DESCRIBE_STRUCT(Inexact, (), (producer, exact_from))

}  // namespace parley::analytics::rollups
