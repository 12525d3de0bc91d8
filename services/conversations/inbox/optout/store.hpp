#pragma once
#include <boost/asio/awaitable.hpp>
#include <unordered_set>

#include "common/pg/pool.hpp"
#include "conversations/inbox/optout/shapes.hpp"

namespace parley::conversations::optout {

using boost::asio::awaitable;

// The organization's settings, or the built-in ones without a row.
OptOutSettings settings_of(std::optional<SettingsRow> row);

class Words {
 public:
  enum class Meaning { none, stop, start };
  explicit Words(const OptOutSettings& settings);
  Meaning meaning_of(std::string_view text) const;

 private:
  std::unordered_set<std::string> stop_, start_;
  std::size_t longest_ = 0;  // octets of a text that can match
};

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}
  awaitable<OptOutSettings> find(model::Uuid organization);
  // Returns the new settings. Throws Problem 400 if a word is both a stop word and a start word.
  awaitable<OptOutSettings> update(pg::Transaction& transaction, model::Uuid organization, UpdateSettings update);

 private:
  pg::Pool& database_;
};

}  // namespace parley::conversations::optout
