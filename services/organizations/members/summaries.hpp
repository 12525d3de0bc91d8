#pragma once
#include "common/http/message.hpp"
#include "organizations/members/store.hpp"

namespace parley::organizations::members {

// Members for conversations' assignedTo: lines sorted by id, in pieces, as the texts of roles may be long.
class Summaries final : public http::BodySource {
 public:
  Summaries(Store& store, model::Uuid organization, std::vector<model::Uuid> ids);

  // Makes the first piece, usually the only one.
  awaitable<void> begin();
  // True if next() returns the last piece.
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
