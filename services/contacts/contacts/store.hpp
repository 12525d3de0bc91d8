#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/http/admission.hpp"
#include "common/pg/pool.hpp"
#include "common/redis/count_cache.hpp"
#include "contacts/contacts/shapes.hpp"
#include "contacts/quotas.hpp"

namespace parley::contacts::contacts {

using boost::asio::awaitable;

struct Page {
  std::vector<PageContact> contacts;  // without their conversations
  std::int64_t total = 0;
  bool cut = false;        // fewer than there are, as the page would be too long
  std::size_t octets = 0;  // of the contacts' lists, tags and attributes
};

struct ExportStep {
  std::vector<ExportRow> rows;
  std::optional<model::Uuid> end;  // where the next step goes on; none after the last
  bool cut = false;                // it ends early, as it would be too long
};
// Of an export: contacts that a step passes over at most.
inline constexpr std::int64_t kExportStep = 500;

class Store {
 public:
  Store(pg::Pool& database, redis::CountCache& counts, const chassis::Quotas& quotas = chassis::Quotas::none());

  // A page with the lists and tags of its contacts, of one snapshot, and the true total of what its filters let
  // through. With them it comes to http::kMaxPageOctets, or is one contact.
  awaitable<Page> list(model::Uuid organization, PageFilter filter);

  // Sends the questions for one contact; its answer is awaited with found().
  pg::Pending start_find(const model::Uuid& organization, const model::Uuid& id);
  awaitable<std::optional<VersionedContact>> found(model::Uuid organization, model::Uuid id, pg::Pending asked);

  // Finds the tag that a filter names, which export_step() wants found.
  awaitable<void> find_tag(const model::Uuid& organization, Filter& filter);
  // A piece of all contacts that match, in order of creation: those among the next `most` after `after`, up to the one
  // with which they are longer than 1 MiB. Each piece is of a snapshot of its own.
  awaitable<ExportStep> export_step(model::Uuid organization, Filter filter, std::optional<model::Uuid> after,
                                    std::int64_t most = kExportStep);
  // Puts into the outbox, in a transaction of its own, what is told though nothing changed.
  awaitable<void> emit(model::RawJson told);

  // The newest contacts that a search finds.
  awaitable<std::vector<model::Uuid>> search(model::Uuid organization, std::string text, std::int64_t most);

  // What other contexts embed: those of the ids that exist.
  awaitable<ContactParts> parts(model::Uuid organization, std::vector<model::Uuid> contact_ids,
                                std::vector<model::Uuid> tag_ids);

  // ---- in the caller's transaction; all are told without conversations ----

  // Makes contacts, all with a name and a phone, in the order given. Lists that do not exist are a Problem 400, numbers
  // that contacts have already a Problem 409 with their ids; so many and large lists that the answer would be longer
  // than a page are a Problem 400.
  awaitable<std::vector<PageContact>> create(pg::Transaction& transaction, model::Uuid organization,
                                             std::vector<Changes> contacts);

  // Keeps others from changing the contact until the transaction ends. Its version; nullopt: there is none.
  awaitable<std::optional<std::string>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<std::optional<std::string>> lock_to_delete(pg::Transaction& transaction, model::Uuid organization,
                                                       model::Uuid id);
  // These want it locked. Problems as create().
  awaitable<PageContact> update(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                Changes changes);
  // With its memberships and what tags it bears.
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

 private:
  // A place to read contacts whose lists have many or long texts, which take tens of MiB for a moment. A Problem 503.
  awaitable<std::unique_ptr<http::Admitted>> enter_long_read(const model::Uuid& organization);
  awaitable<std::vector<PageContact>> run_and_read(pg::Transaction& transaction, pg::Batch batch, std::size_t first,
                                                   model::Uuid organization, std::vector<model::Uuid> ids);
  awaitable<std::int64_t> filtered_total(model::Uuid organization, const Filter& filter,
                                         redis::CountCache::Lookup lookup, std::int64_t version,
                                         std::optional<std::int64_t> known);
  awaitable<void> throw_taken(model::Uuid organization, const std::vector<Changes>& contacts);
  pg::Pool& database_;
  redis::CountCache& counts_;
  const std::shared_ptr<http::Admission> long_reads_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::contacts::contacts
