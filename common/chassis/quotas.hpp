#pragma once
// Limits on how much an organization may have. Each service has limits for its own resources: the operator's default
// (PARLEY_QUOTA_NAME), or an organization's own limit (`set-quota`, table `quota`). The service's SQL function
// quota_used(organization, name) counts usage.
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

// A named limit, with the default for organizations without their own.
struct Quota {
  std::string name;
  std::int64_t most = 0;
  // While more than `crowd` places are left, transactions take places without waiting for each other; it must exceed
  // what all concurrent transactions can take. 0: they always take turns.
  std::int64_t crowd = 0;
};

// The limit and usage of one organization.
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

// The Problem 403 for a reached limit; names the limit and its value.
http::Problem beyond_quota(std::string_view name, std::int64_t limit);

class Quotas {
 public:
  // No limits.
  Quotas() = default;
  static const Quotas& none();
  explicit Quotas(std::vector<Quota> usual) : usual_(std::move(usual)) {}
  // Reads limits from PARLEY_QUOTA_NAME, with `usual` as default.
  static Quotas read(Environment& environment, std::vector<Quota> usual);

  // Throws beyond_quota() unless the organization has room for `more`. The last places stay reserved until the
  // transaction ends. Must be called before the new items count as used.
  awaitable<void> require(pg::Transaction& transaction, model::Uuid organization, std::string_view name,
                          std::int64_t more = 1) const;
  // require() in two halves, for frequent inserts: ask() adds to the caller's batch, which may also insert; settle()
  // checks the batch's results, and tells of 80 and 100 percent: see quotas_told.hpp.
  struct Asked {
    const Quota* quota = nullptr;
    std::size_t at = 0;  // index among the results
  };
  Asked ask(pg::Batch& batch, const model::Uuid& organization, std::string_view name) const;
  awaitable<void> settle(pg::Transaction& transaction, model::Uuid organization, Asked asked,
                         const pg::Results& results, std::int64_t more) const;
  // The organization's use of all limits.
  awaitable<std::vector<QuotaUse>> uses(pg::Pool& database, model::Uuid organization) const;

  const std::vector<Quota>& usual() const { return usual_; }
  // The default limit of that name.
  std::int64_t usual(std::string_view name) const;
  // Exports how often each limit was reached.
  void show(Metrics& metrics) const;
  void count_refusal(std::string_view name) const { ++refused_[std::string(name)]; }

 private:
  std::vector<Quota> usual_;
  mutable std::map<std::string, std::uint64_t, std::less<>> refused_;
};

// Adds the command `set-quota --organization ID --name N (--limit M | --usual)` for these names.
CLI::App* add_set_quota(CLI::App& app, std::vector<std::string> names);

}  // namespace parley::chassis
