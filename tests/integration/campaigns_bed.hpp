#pragma once
// Campaigns behind their API, with what happens to them by itself done step by step.
#include "conversations/campaigns/api.hpp"
#include "conversations/campaigns/audience/api.hpp"
#include "conversations/campaigns/worker.hpp"
#include "tests/integration/conversations_service.hpp"

namespace parley::campaigns_tests {

using boost::asio::awaitable;
using conversations_tests::json_of;
using conversations_tests::pointer_of;
using conversations_tests::quoted;
using model::Uuid;

class Bed : public conversations_tests::Service {
 public:
  Bed();

  // The organization's lists, as contacts knows them.
  void know_lists(const std::vector<Uuid>& ids);
  // The account's templates, as the channel lists them now: approved, in English, without variables.
  void know_templates(const std::vector<std::string>& names);
  // The body of one that could be started: `more` are further members, each with a comma before it.
  std::string body(const std::string& more = "") const;
  Uuid make(const std::string& more = "");
  // In that status, by SQL.
  Uuid make_as(const std::string& status, const std::string& more = "");
  http::Response act(const Uuid& id, const std::string& command) { return post(path(id) + "/" + command, ""); }
  http::Response change(const Uuid& id, const std::string& body) { return post(path(id), body); }
  boost::json::value campaign(const Uuid& id) { return json_of(get(path(id))).at("campaign"); }
  std::string text(const Uuid& id, const std::string& member) {
    return std::string(campaign(id).at(member).as_string());
  }
  std::int64_t progress(const Uuid& id, const std::string& member) {
    return campaign(id).at("progress").at(member).as_int64();
  }
  void set(const Uuid& id, const std::string& columns) {
    database.execute("UPDATE campaign SET " + columns + " WHERE id = " + quoted(id));
  }
  // The changes of status that were told, "Draft>Running Running>Paused", in their order.
  std::string told(const Uuid& id) const;
  std::int64_t told(const Uuid& id, const std::string& type) const;

  // All at once, each as by a process of its own.
  void run(std::vector<awaitable<bool>> steps);
  void run(awaitable<bool> step);

  static std::string path(const Uuid& id) { return "/api/campaigns/" + id.text(); }

  const Uuid list = model::new_uuid();
  pg::Pool& pool() { return pool_; }
  boost::asio::io_context& context() { return process_.context(); }

 private:
  conversations::templates::Store template_store_;
  conversations::channel::Client channel_;
  conversations::templates::Catalogue catalogue_;
  conversations::rendering::TemplateCheck check_;
  conversations::campaigns::Store store_;
  conversations::campaigns::Api api_;
  conversations::audience::Api audience_api_;

 public:
  conversations::campaigns::Worker worker, other;
};

}  // namespace parley::campaigns_tests
