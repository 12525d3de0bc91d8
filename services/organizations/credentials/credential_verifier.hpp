#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/credentials/shapes.hpp"
#include "organizations/sessions/store.hpp"

namespace parley::organizations::credentials {

using boost::asio::awaitable;

struct Verdict {
  Verified verified;
  bool use_is_due = false;  // last recorded use is a minute or more ago
};

// Throws one Problem 401 for unknown, revoked, expired and wrong credentials, 403 if the person is no member there.
class CredentialVerifier {
 public:
  CredentialVerifier(pg::Pool& database, sessions::Store& sessions) : database_(database), sessions_(sessions) {}

  awaitable<Verdict> verify(PresentedKey key, std::optional<model::Uuid> organization);
  awaitable<Verdict> verify(PresentedSession session, std::optional<model::Uuid> organization);

  awaitable<void> note_use(PresentedKey key);
  awaitable<void> note_use(PresentedSession session);

 private:
  pg::Pool& database_;
  sessions::Store& sessions_;
};

}  // namespace parley::organizations::credentials
