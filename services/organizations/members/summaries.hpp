#pragma once
#include "common/http/message.hpp"
#include "organizations/members/store.hpp"

namespace parley::organizations::members {

// What conversations embed as assignedTo: a line a member (chassis::Lines), by their ids. With all the words of their
// roles they may be long, so they are made piece by piece, and no more of them are in memory than a piece.
class Summaries final : public http::BodySource {
 public:
  Summaries(Store& store, model::Uuid organization, std::vector<model::Uuid> ids);

  // Makes the first piece, which is mostly all.
  awaitable<void> begin();
  // There is no other piece than the one that next() is to give.
  bool is_last() const { return left_.empty(); }
  awaitable<std::string_view> next() override;

 private:
  awaitable<void> take_step();

  Store& store_;
  const model::Uuid organization_;
  std::vector<model::Uuid> left_;
  chassis::Lines<PageMember> gathered_;
  std::string given_;
};

}  // namespace parley::organizations::members
