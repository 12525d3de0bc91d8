#pragma once
#include <boost/asio/awaitable.hpp>
#include <variant>

#include "common/async/gathering.hpp"
#include "common/http/admission.hpp"
#include "common/pg/pool.hpp"
#include "common/pg/variants.hpp"
#include "common/redis/count_cache.hpp"
#include "contacts/contacts/shapes.hpp"
#include "contacts/quotas.hpp"
#include "contacts/segments/room.hpp"

namespace parley::contacts::contacts {

using boost::asio::awaitable;

struct Page {
  std::vector<PageContact> contacts;
  std::int64_t total = 0;
  bool cut = false;        // shortened because the page would be too long
  std::size_t octets = 0;  // octets of the contacts' lists, tags and attributes
};

struct PageRow;
struct FindRow;

struct ExportStep {
  std::vector<ExportRow> rows;
  std::optional<model::Uuid> end;  // where the next step begins; nullopt after the last
  bool cut = false;                // ended early because it would be too long
};
inline constexpr std::int64_t kExportStep = 500;

struct WalkStep {
  std::vector<model::Uuid> ids;
  std::optional<model::Uuid> end;  // where the next step begins; nullopt after the last
};

class Store {
 public:
  // `room` is shared with others that evaluate filters; without one the store has its own.
  Store(pg::Pool& database, redis::CountCache& counts, const chassis::Quotas& quotas = chassis::Quotas::none(),
        std::shared_ptr<segments::Room> room = nullptr);

  const CatalogueCache::Stats& catalogue_stats() { return catalogues_.stats(); }

  // Returns a page from one snapshot, at most http::kMaxPageOctets or one contact, and the exact total of its filters.
  awaitable<Page> list(model::Uuid organization, PageFilter filter);

  // Asks for one contact, together with others that are asked for at the same time; found() awaits the answer.
  using Finding = async::Gathering<model::Uuid, std::monostate, model::Uuid, std::vector<FindRow>>;
  Finding::Asked start_find(const model::Uuid& organization, const model::Uuid& id);
  awaitable<std::optional<VersionedContact>> found(model::Uuid organization, model::Uuid id, Finding::Asked asked);

  // Sets filter.tag_id; required before export_step(), walk() and count().
  awaitable<void> find_tag(const model::Uuid& organization, Filter& filter);
  // Sets filter.segment; required like filter.tag_id.
  awaitable<void> find_segment(const model::Uuid& organization, Filter& filter);
  // Returns matches among the next `most` contacts behind `after`, up to the one that exceeds 1 MiB.
  awaitable<ExportStep> export_step(model::Uuid organization, Filter filter, std::optional<model::Uuid> after,
                                    std::int64_t most = kExportStep);
  // Those that match among the next `most` contacts behind `after`.
  awaitable<WalkStep> walk(model::Uuid organization, const Filter& filter, std::optional<model::Uuid> after,
                           std::int64_t most);
  // How many contacts match.
  awaitable<std::int64_t> count(model::Uuid organization, const Filter& filter);
  // How many contacts fulfil a filter that is no segment.
  awaitable<std::int64_t> count(model::Uuid organization, segments::Condition condition);
  // Appends events to the outbox in a transaction of its own.
  awaitable<void> emit(model::RawJson told);

  // Returns the newest `most` contacts that match.
  awaitable<std::vector<model::Uuid>> search(model::Uuid organization, std::string text, std::int64_t most);

  // Returns the contacts and tags that exist, for other services' responses.
  awaitable<ContactParts> parts(model::Uuid organization, std::vector<model::Uuid> contact_ids,
                                std::vector<model::Uuid> tag_ids);

  // ---- in the caller's transaction; contacts are returned without conversations ----

  // Creates contacts, which must have a name and a phone, in the order given. Throws a Problem 400 for unknown lists or
  // a response longer than a page, a Problem 409 with the ids for numbers that other contacts have.
  awaitable<std::vector<PageContact>> create(pg::Transaction& transaction, model::Uuid organization,
                                             std::vector<Changes> contacts);

  // Locks the contact until the transaction ends. Returns its version; nullopt if it does not exist.
  awaitable<std::optional<std::string>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<std::optional<std::string>> lock_to_delete(pg::Transaction& transaction, model::Uuid organization,
                                                       model::Uuid id);
  // Require the contact to be locked. update() throws the Problems of create().
  awaitable<PageContact> update(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                Changes changes);
  // Those of these contacts that match, sorted.
  awaitable<std::vector<model::Uuid>> still_matching(pg::Transaction& transaction, model::Uuid organization,
                                                     const Filter& filter, std::vector<model::Uuid> ids);
  // Also removes its memberships and tags.
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

 private:
  // Admission to reads of contacts with many or long lists, which take tens of MiB for a moment. Throws a Problem 503.
  awaitable<std::unique_ptr<http::Admitted>> enter_long_read(const model::Uuid& organization);
  // A place for a statement that is made of the filter; null if none is.
  awaitable<std::unique_ptr<segments::Room::Place>> enter(const model::Uuid& organization, const Filter& filter,
                                                          int times = 1);
  // The catalogue of that version, if it is kept and knows all that the rows name; else nullptr.
  std::shared_ptr<const Catalogue> kept_catalogue(const model::Uuid& organization, const std::string& version,
                                                  std::span<const PageRow> rows);
  // Keeps what was read with these rows, in one snapshot.
  void keep_catalogue(const model::Uuid& organization, const std::string& version, std::span<const PageRow> rows,
                      Catalogue& read);
  struct PageRows;
  awaitable<PageRows> read_page(model::Uuid organization, PageFilter filter);
  // With all texts, as if nothing were kept.
  awaitable<PageRows> read_whole_page(model::Uuid organization, PageFilter filter);
  awaitable<std::vector<FindRow>> find(model::Uuid organization, std::vector<model::Uuid> ids);
  awaitable<std::optional<VersionedContact>> find_whole(model::Uuid organization, model::Uuid id);
  awaitable<std::vector<PageContact>> run_and_read(pg::Transaction& transaction, pg::Batch batch, std::size_t first,
                                                   model::Uuid organization, std::vector<model::Uuid> ids);
  awaitable<std::int64_t> filtered_total(model::Uuid organization, const Filter& filter,
                                         redis::CountCache::Lookup lookup, std::int64_t version,
                                         std::optional<std::int64_t> known);
  // A walk's step, in walks.cpp.
  template <class Parts, class... Arguments>
  awaitable<pg::Results> step(const pg::Variants<Parts>& statement, const model::Uuid& organization,
                              const Filter& filter, std::optional<model::Uuid> after, std::int64_t most,
                              Arguments... arguments);
  awaitable<void> throw_taken(model::Uuid organization, const std::vector<Changes>& contacts);
  pg::Pool& database_;
  redis::CountCache& counts_;
  CatalogueCache catalogues_;
  Finding finding_;
  const std::shared_ptr<http::Admission> long_reads_;
  const std::shared_ptr<segments::Room> room_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::contacts::contacts
