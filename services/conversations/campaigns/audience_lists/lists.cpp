#include "conversations/campaigns/audience_lists/lists.hpp"

#include "common/http/answer.hpp"

namespace parley::conversations::audience_lists {

using namespace std::chrono_literals;

namespace {

constexpr std::string_view kJson = "Content-Type: application/json\r\n";
constexpr auto kAskersTime = 2s;  // for who waits for an answer
constexpr auto kAddTime = 20s;

// As contacts reads them.
struct MakeList {
  model::Uuid organizationId, id;
  std::string name, description;
  std::vector<std::string> tags;
};
BOOST_DESCRIBE_STRUCT(MakeList, (), (organizationId, id, name, description, tags))

struct AddContacts {
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
};
BOOST_DESCRIBE_STRUCT(AddContacts, (), (organizationId, contactIds))

struct Added {
  std::int64_t contacts = 0;
};
BOOST_DESCRIBE_STRUCT(Added, (), (contacts))

http::ClientRequest post(std::string target, std::string head, std::string body, std::chrono::milliseconds time) {
  return {.method = http::Method::post,
          .target = std::move(target),
          .head = std::move(head),
          .body = std::move(body),
          .replayable = true,
          .answer_time = time};
}

// What passes by itself is no refusal: another asks the same at this moment, or too much is asked.
void require_success(const http::ClientResponse& response) {
  if (response.status < 300) return;
  const auto answer = "contacts answered " + std::to_string(response.status);
  if (response.status == 409 || response.status == 429)
    throw http::Unreachable(http::Unreachable::Why::overloaded, answer, false);
  throw Refused("the list cannot be made: " + answer);
}

}  // namespace

awaitable<void> Lists::make(Job job, chassis::RequestContext scope, std::chrono::milliseconds answer_time) {
  // With the key a list that was made, and deleted by somebody since, is not made again.
  auto head = std::string(kJson) + "Idempotency-Key: retarget " + job.id.text() + "\r\n";
  const auto& criteria = job.criteria;
  auto body =
      model::to_json(MakeList{job.organization_id, job.list_id, criteria.name, criteria.description, criteria.tags});
  auto request = post("/internal/lists", std::move(head), std::move(body), answer_time);
  require_success(co_await contacts_.send(std::move(request), scope));
}

awaitable<bool> Lists::try_to_make(Job job, chassis::RequestContext scope) {
  try {
    co_await make(std::move(job), std::move(scope), kAskersTime);
    co_return true;
  } catch (const http::Unreachable&) {
  } catch (const Refused&) {
    // Found out again, and noted, by who fills the list.
  }
  co_return false;
}

awaitable<std::int64_t> Lists::add(Job job, std::vector<model::Uuid> contacts, chassis::RequestContext scope) {
  auto request = post("/internal/lists/" + job.list_id.text() + "/contacts", std::string(kJson),
                      model::to_json(AddContacts{job.organization_id, std::move(contacts)}), kAddTime);
  const auto response = co_await contacts_.send(std::move(request), scope);
  if (response.status == 404) throw Refused("the list was deleted");
  require_success(response);
  co_return http::read_answer<Added>(std::string_view(response.body), "contacts").contacts;
}

}  // namespace parley::conversations::audience_lists
