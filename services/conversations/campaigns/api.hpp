#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "conversations/campaigns/rendering/template_check.hpp"
#include "conversations/campaigns/store.hpp"
#include "conversations/channel/account.hpp"
#include "conversations/inbox/conversations/directory.hpp"

namespace parley::conversations::campaigns {

class Api {
 public:
  Api(chassis::Process& process, Store& store, channel::Accounts& accounts, rendering::TemplateCheck& templates,
      chassis::ServiceClient& contacts);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> start(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> unschedule(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> duplicate(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> pause(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> resume(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> cancel(chassis::Call& call, chassis::Change& change);

  awaitable<Found> known(chassis::Call& call);
  // Resolve and check the changes that need other services or the database: schedule, lists, tags.
  awaitable<void> read_schedule(Changes& changes, std::string zone);
  awaitable<void> check_lists(chassis::Call& call, const CampaignBody& body);
  awaitable<void> drop_gone_lists(chassis::Call& call, model::Campaign& campaign);
  // Of the messages that differ: Problem 400 if the account lacks a template. Degraded if that cannot be known now.
  awaitable<void> check_templates(chassis::Call& call, const model::Campaign& is, const model::Campaign& wanted);
  awaitable<void> read_tags(chassis::Call& call, Changes& changes);

  // The prerequisites of sending. ready() throws a Problem 409 that names what is missing.
  struct Ready {
    std::string phone_number_id;
    std::vector<std::string> urls;
  };
  awaitable<Ready> ready(chassis::Call& call, const model::Campaign& campaign);

  struct Command;
  awaitable<http::Response> carry_out(chassis::Call& call, chassis::Change& change, const Command& command);

  Store& store_;
  channel::Accounts& accounts_;
  rendering::TemplateCheck& templates_;
  chassis::ServiceClient& contacts_;
  conversations::Directory directory_;
};

}  // namespace parley::conversations::campaigns
