#pragma once
#include <memory>
#include <string>

#include "common/async/shares.hpp"
#include "common/http/message.hpp"
#include "common/model/uuid.hpp"

namespace parley::chassis {

// Places in a process for requests that last as long as their clients let them, as each keeps memory meanwhile: files
// on their way. Organizations share them, see async::Shares: none has so many that another finds none.
class Places {
 public:
  using Place = std::unique_ptr<async::Place<model::Uuid>>;

  // `what` they are for is told to who is refused: "exports". As they are few and held long, more of them are reserved
  // for who has none than async::Shares does by itself; not so many that the second to come gets but one.
  Places(std::size_t count, std::string what) : shares_(count, 1, count * 3 / 8), what_(std::move(what)) {}

  // Taken for as long as it is kept, which must not be longer than this lives. Throws a Problem 429 if the organization
  // has its share already, and 503 if all are taken; the request's body, if there is one, is not waited for then.
  Place take(const http::Request& request, const model::Uuid& organization);

 private:
  async::Shares<model::Uuid> shares_;
  const std::string what_;
};

}  // namespace parley::chassis
