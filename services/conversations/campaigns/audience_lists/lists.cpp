#include "conversations/campaigns/audience_lists/lists.hpp"

#include "common/contracts/contacts.hpp"

namespace parley::conversations::audience_lists {

namespace contract = contracts::contacts;

namespace {

// Passes by itself: a concurrent equal request, or a refusal of this process for now.
bool passes(const chassis::Refusal& refusal) { return refusal.status == 409 || refusal.is_temporary(); }

Refused impossible(const chassis::Refusal& refusal) {
  return Refused(std::string("the list cannot be made: ") + refusal.what());
}

}  // namespace

awaitable<void> Lists::make(Job job, chassis::RequestContext scope, std::chrono::milliseconds answer_time) {
  const auto& criteria = job.criteria;
  const contract::MakeList list{job.organization_id, job.list_id, criteria.name, criteria.description, criteria.tags};
  // By the idempotency key, a list deleted since is not made again.
  const chassis::Asking asking{.idempotency_key = "retarget " + job.id.text(), .answer_time = answer_time};
  try {
    co_await contacts_.ask(contract::make_list, list, scope, asking);
  } catch (const chassis::Refusal& refusal) {
    if (passes(refusal)) throw;
    throw impossible(refusal);
  }
}

awaitable<bool> Lists::try_to_make(Job job, chassis::RequestContext scope) {
  try {
    co_await make(std::move(job), std::move(scope), {});
    co_return true;
  } catch (const http::Unreachable&) {  // the worker tries again
  } catch (const Refused&) {            // the worker gets the same refusal, and records it
  }
  co_return false;
}

awaitable<std::int64_t> Lists::add(Job job, std::vector<model::Uuid> contacts, chassis::RequestContext scope) {
  const contract::AddContacts question{job.organization_id, std::move(contacts)};
  try {
    co_return (co_await contacts_.ask(contract::add_contacts, question, scope, {.id = job.list_id})).contacts;
  } catch (const chassis::Refusal& refusal) {
    if (passes(refusal)) throw;
    if (refusal.status == 404) throw Refused("the list was deleted");
    throw impossible(refusal);
  }
}

}  // namespace parley::conversations::audience_lists
