#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/credentials/shapes.hpp"

namespace parley::organizations::credentials {

using boost::asio::awaitable;

struct Verdict {
  Verified verified;
  bool use_is_due = false;  // a minute has passed since its use was noted last
};

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // Replaces a member's default key by a new one: the old one stops being good with the commit. However many do so at
  // once, one key is left. The answer holds the key's text, which is nowhere else.
  awaitable<model::ApiKey> regenerate(model::Uuid organization, model::Uuid member);

  // Who a key stands for, in its own organization or in another one of the same person. A key that is unknown, revoked,
  // expired or has another secret is one same Problem 401; a person who is no member there a 403.
  awaitable<Verdict> verify(PresentedKey key, std::optional<model::Uuid> organization);

  awaitable<void> note_use(model::Uuid organization, model::Uuid credential);

 private:
  pg::Pool& database_;
};

}  // namespace parley::organizations::credentials
