#pragma once
// How much an organization may have of what others must make room for. Each service knows the limits of what is its
// own: the operator's for all (PARLEY_QUOTA_NAME), or one of its own that the organization was given (`set-quota`, in
// the table `quota`). What counts against a limit is what the service's SQL function quota_used(organization, name)
// says.
#include <boost/asio/awaitable.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/chassis/environment.hpp"
#include "common/http/problem.hpp"
#include "common/pg/pool.hpp"

namespace CLI {
class App;
}

namespace parley::chassis {

using boost::asio::awaitable;

class Metrics;

// A limit by its name, as it is for all organizations that have none of their own.
struct Quota {
  std::string name;
  std::int64_t most = 0;
  // While more places than these are left, whoever takes some waits for nobody: more than all who do so at once can
  // take. 0: they take turns always.
  std::int64_t crowd = 0;
};

// How an organization stands to one.
struct QuotaUse {
  std::string name;
  std::int64_t limit = 0;
  std::int64_t used = 0;
};
BOOST_DESCRIBE_STRUCT(QuotaUse, (), (name, limit, used))

struct QuotasResponse {
  std::vector<QuotaUse> quotas;
};
BOOST_DESCRIBE_STRUCT(QuotasResponse, (), (quotas))

// The Problem 403 of a limit that is reached: it names the limit and says how much it is.
http::Problem beyond_quota(std::string_view name, std::int64_t limit);

class Quotas {
 public:
  // Without limits.
  Quotas() = default;
  static const Quotas& none();
  explicit Quotas(std::vector<Quota> usual) : usual_(std::move(usual)) {}
  // With what PARLEY_QUOTA_NAME says in place of what is usual.
  static Quotas read(Environment& environment, std::vector<Quota> usual);

  // Throws beyond_quota() unless there is room for so many more of the organization's. Until the transaction ends
  // nobody else takes the last places. To be called before they count as used.
  awaitable<void> require(pg::Transaction& transaction, model::Uuid organization, std::string_view name,
                          std::int64_t more = 1) const;
  // The same in two halves, for what is made often: the first asks in a batch of the caller's, which may make them too,
  // the second settles it by the batch's results.
  struct Asked {
    const Quota* quota = nullptr;
    std::size_t at = 0;  // among the results
  };
  Asked ask(pg::Batch& batch, const model::Uuid& organization, std::string_view name) const;
  awaitable<void> settle(pg::Transaction& transaction, model::Uuid organization, Asked asked,
                         const pg::Results& results, std::int64_t more) const;
  // How the organization stands to all.
  awaitable<std::vector<QuotaUse>> uses(pg::Pool& database, model::Uuid organization) const;

  const std::vector<Quota>& usual() const { return usual_; }
  // What is usual of that name.
  std::int64_t usual(std::string_view name) const;
  // Shows how often each was reached.
  void show(Metrics& metrics) const;
  void count_refusal(std::string_view name) const { ++refused_[std::string(name)]; }

 private:
  std::vector<Quota> usual_;
  mutable std::map<std::string, std::uint64_t, std::less<>> refused_;
};

// The command `set-quota --organization ID --name N (--limit M | --usual)`, of these names.
CLI::App* add_set_quota(CLI::App& app, std::vector<std::string> names);

}  // namespace parley::chassis
