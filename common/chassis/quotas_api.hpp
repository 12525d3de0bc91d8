#pragma once
#include <functional>

#include "common/chassis/process.hpp"
#include "common/chassis/quotas.hpp"

namespace parley::chassis {

// Serves an organization's limits and usage, and exports how often each limit was reached.
class QuotasApi {
 public:
  // Adds usage that depends on the caller rather than the organization.
  using More = std::function<awaitable<std::vector<QuotaUse>>(Call& call)>;

  // `path` needs static storage.
  QuotasApi(Process& process, pg::Pool& database, const Quotas& quotas, std::string_view path, More more = {});

 private:
  awaitable<http::Response> list(Call& call);

  pg::Pool& database_;
  const Quotas& quotas_;
  More more_;
};

}  // namespace parley::chassis
