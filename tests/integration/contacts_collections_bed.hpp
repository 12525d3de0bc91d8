#pragma once
// Lists and tags as the tests of their pages, changes and deletions use them.

#include <algorithm>

#include "common/http/problem.hpp"
#include "common/removals/worker.hpp"
#include "contacts/deletions/kinds.hpp"
#include "tests/integration/contacts_bed.hpp"

namespace parley::contacts_tests {

namespace lists = parley::contacts::lists;
namespace tags = parley::contacts::tags;

struct Collections {
  Database database;
  support::RedisServer redis;
  Uuid organization = model::new_uuid(), other = model::new_uuid();
  Loop loop{patient(database.settings())};
  Replica a{loop, patient(database.settings()), redis.url()};
  Replica b{loop, patient(database.settings()), "redis://127.0.0.1:1/0"};  // whose Redis is away

  lists::Page page(lists::Filter filter, bool away = false) {
    return loop.run((away ? b : a).lists.list(organization, std::move(filter)));
  }
  tags::Page page(tags::Filter filter, bool away = false) {
    return loop.run((away ? b : a).tags.list(organization, std::move(filter)));
  }
  std::optional<model::List> find(const Uuid& id) { return loop.run(a.lists.find(organization, id)); }
  model::List create(const std::string& name, std::vector<std::string> labels = {}, std::vector<Uuid> contacts = {}) {
    std::sort(contacts.begin(), contacts.end());
    return loop.run(create_list(a, organization, {name, "", std::move(labels), std::move(contacts)}));
  }
  model::List update(const Uuid& id, lists::UpdateList changes) {
    return loop.run(transact(
        a.pool, [this, id, changes](pg::Transaction& t) { return a.lists.update(t, organization, id, changes); }));
  }
  awaitable<model::List> change(Replica& replica, Uuid id, lists::MemberChanges changes) {
    std::sort(changes.add.begin(), changes.add.end());
    std::sort(changes.remove.begin(), changes.remove.end());
    auto transaction = co_await replica.pool.begin();
    const auto name = co_await replica.lists.lock(transaction, organization, id);
    if (!name) throw http::Problem({.status = 404, .detail = "no list"});
    auto list = co_await replica.lists.change_members(transaction, organization, id, std::move(changes));
    co_await transaction.commit();
    co_return list;
  }
  awaitable<bool> remove_list(Replica& replica, Uuid id) {
    auto transaction = co_await replica.pool.begin();
    const auto name = co_await replica.lists.lock_to_delete(transaction, organization, id);
    if (!name) co_return false;
    co_await replica.lists.remove(transaction, organization, id);
    co_await transaction.commit();
    co_return true;
  }
  awaitable<bool> remove_tag(Uuid id) {
    auto transaction = co_await a.pool.begin();
    const auto label = co_await a.tags.lock_to_delete(transaction, organization, id);
    if (!label) co_return false;
    co_await a.tags.remove(transaction, organization, id);
    co_await transaction.commit();
    co_return true;
  }
  Contact contact(const Uuid& id) {
    return read_back(loop.run(a.contacts.found(organization, id, a.contacts.start_find(organization, id))).value());
  }
  Page contacts_in(const Uuid& list) {
    contacts::contacts::PageFilter filter;
    filter.list_id = list;
    return loop.run(a.contacts.list(organization, filter));
  }
  // Works off what is to be removed in the background.
  void sweep() {
    removals::Worker worker(loop.context(), a.pool, contacts::deletions::kinds(),
                            [](std::string_view what) { FAIL_CHECK(what); },
                            {.most = 100, .busy_pause = 1ms, .idle_pause = 5ms});
    const auto pending = database.sql().number("SELECT count(*) FROM removal");
    loop.launch(worker.run());
    loop.until([&] { return worker.stats().finished == static_cast<std::uint64_t>(pending); });
    worker.stop();
    loop.finish();
  }
  template <class Work>
  http::Problem refused(Work work) {
    const auto before = database.row_counts();
    http::Problem problem;
    try {
      work();
    } catch (const http::Problem& caught) {
      problem = caught;
    }
    CHECK_EQ(database.row_counts(), before);
    return problem;
  }
};

inline std::vector<std::string> names(const lists::Page& page) {
  std::vector<std::string> out;
  for (const auto& list : page.lists) out.push_back(list.name);
  return out;
}
inline std::vector<std::string> labels(const std::vector<model::Tag>& tags) {
  std::vector<std::string> out;
  for (const auto& tag : tags) out.push_back(tag.label);
  return out;
}
using Texts = std::vector<std::string>;

}  // namespace parley::contacts_tests
