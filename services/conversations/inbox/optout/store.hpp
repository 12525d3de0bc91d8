#pragma once
#include <boost/asio/awaitable.hpp>
#include <unordered_set>

#include "common/pg/pool.hpp"
#include "conversations/inbox/optout/shapes.hpp"

namespace parley::conversations::optout {

using boost::asio::awaitable;

// What holds for an organization: its row, or the built-in words.
OptOutSettings settings_of(std::optional<SettingsRow> row);

// The words of an organization, to find messages that are one.
class Words {
 public:
  enum class Meaning { none, stop, start };
  explicit Words(const OptOutSettings& settings);
  // Of a message's whole text.
  Meaning meaning_of(std::string_view text) const;

 private:
  std::unordered_set<std::string> stop_, start_;
  std::size_t longest_ = 0;  // octets of a text that could be one
};

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}
  awaitable<OptOutSettings> find(model::Uuid organization);
  // What then holds. Problem 400 when a word would mean both.
  awaitable<OptOutSettings> update(pg::Transaction& transaction, model::Uuid organization, UpdateSettings update);

 private:
  pg::Pool& database_;
};

}  // namespace parley::conversations::optout
