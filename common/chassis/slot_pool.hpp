#pragma once
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "common/async/shares.hpp"
#include "common/http/message.hpp"
#include "common/model/uuid.hpp"

namespace parley::chassis {

// SlotPool in a process for requests that last as long as their clients let them, as each keeps memory meanwhile: files
// on their way. Organizations share them, see async::Shares: none has so many that another finds none. Where all are
// taken all the same, who has none gets one of the organization that has most.
class SlotPool {
 public:
  class Held;
  using Slot = std::unique_ptr<Held>;

  // `what` they are for is told to who is refused: "exports". As they are few and held long, more of them are reserved
  // for who has none than async::Shares does by itself; not so many that the second to come gets but one.
  SlotPool(std::size_t count, std::string what) : shares_(count, 1, count * 3 / 8), what_(std::move(what)) {}

  // Taken for as long as it is kept, which must not be longer than this lives. Throws a Problem 429 if the organization
  // has its share already, and 503 if all are taken; the request's body, if there is one, is not waited for then.
  Slot take(const http::Request& request, const model::Uuid& organization);

 private:
  void make_room();

  async::Shares<model::Uuid> shares_;
  std::list<Held*> held_;  // those too whose place was given to another, until they are gone
  const std::string what_;
};

class SlotPool::Held {
 public:
  Held(SlotPool& places, const model::Uuid& organization);
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  // To be called as the file goes on, by so many octets; none is its end. Throws a Problem 503 if there is more of it
  // and the place was given to another: then the request has to end.
  void advance(std::size_t octets);

 private:
  friend class SlotPool;
  SlotPool& places_;
  const model::Uuid organization_;
  std::optional<async::Slot<model::Uuid>> place_;  // none any more: it was given to another
  std::uint64_t octets_ = 0;
  std::list<Held*>::iterator here_;
};

}  // namespace parley::chassis
