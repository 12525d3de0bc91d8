#pragma once
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "common/async/shares.hpp"
#include "common/http/message.hpp"
#include "common/model/uuid.hpp"

namespace parley::chassis {

// Slots in a process for requests of unbounded duration that hold memory, such as file transfers. Organizations share
// them (async::Shares), so that no organization takes them all. If all are taken, an organization without a slot gets
// one of the organization with the most.
class SlotPool {
 public:
  class Held;
  using Slot = std::unique_ptr<Held>;

  // `what` names the purpose in refusals: "exports". As slots are few and held long, more are reserved for newcomers
  // than by default in async::Shares, but few enough that the second organization gets more than one.
  SlotPool(std::size_t count, std::string what) : shares_(count, 1, count * 3 / 8), what_(std::move(what)) {}

  // Returns a slot, held until destroyed; the pool must outlive it. Throws a Problem 429 if the organization has its
  // share already, or 503 if all are taken; then the request's body is not read.
  Slot take(const http::Request& request, const model::Uuid& organization);

 private:
  void make_room();

  async::Shares<model::Uuid> shares_;
  std::list<Held*> held_;  // includes slots given away, until their requests end
  const std::string what_;
};

class SlotPool::Held {
 public:
  Held(SlotPool& places, const model::Uuid& organization);
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  // Must be called as the transfer proceeds, with the number of octets; 0 means the end. Throws a Problem 503 if octets
  // follow although the slot was given away: then the request must end.
  void advance(std::size_t octets);

 private:
  friend class SlotPool;
  SlotPool& places_;
  const model::Uuid organization_;
  std::optional<async::Slot<model::Uuid>> place_;  // empty once given away
  std::uint64_t octets_ = 0;
  std::list<Held*>::iterator here_;
};

}  // namespace parley::chassis
