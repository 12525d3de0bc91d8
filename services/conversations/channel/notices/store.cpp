#include "conversations/channel/notices/store.hpp"

#include <algorithm>
#include <map>

#include "common/pg/column.hpp"
#include "conversations/channel/notices/sql.hpp"

namespace parley::conversations::notices {

namespace {

using pg::column;

// Of each kind, so that many errors do not hide a ban.
constexpr std::int64_t kKept = 50, kShown = 5;

}  // namespace

awaitable<void> add(pg::Transaction& transaction, std::span<const Addressed> told, events::Changes& changes) {
  const auto of_news = [&](auto member) {
    return column(told, [member](const Addressed& each) { return each.news->*member; });
  };
  const auto organizations = column(told, [](const Addressed& each) { return each.organization; });
  const auto accounts = of_news(&News::business_account_id);
  const auto ids = column(told, [](const Addressed&) { return model::new_uuid(); });
  pg::Batch batch(sql::add, organizations, ids, of_news(&News::key), accounts, of_news(&News::phone_number),
                  of_news(&News::kind), of_news(&News::event), of_news(&News::severity), of_news(&News::detail),
                  of_news(&News::data), of_news(&News::at));
  batch.add(sql::prune, organizations, kKept);
  batch.add(sql::expire_numbers, organizations, accounts);
  const auto results = co_await transaction.run(std::move(batch));
  const auto added = results.rows<model::Uuid>(0);
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (std::ranges::find(added, ids[i]) == added.end()) continue;
    const auto& news = *told[i].news;
    changes.add(events::AccountNoticed{organizations[i], ids[i], news.kind, news.event, news.severity, news.detail,
                                       news.phone_number, news.at});
  }
}

awaitable<std::vector<Notice>> recent(pg::Pool& database, model::Uuid organization, std::string business_account_id) {
  const auto results = co_await database.read(pg::Batch(sql::recent, organization, business_account_id, kShown));
  co_return results.rows<Notice>();
}

}  // namespace parley::conversations::notices
