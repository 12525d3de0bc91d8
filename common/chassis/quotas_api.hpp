#pragma once
#include <functional>

#include "common/chassis/process.hpp"
#include "common/chassis/quotas_told.hpp"

namespace parley::chassis {

// Serves an organization's limits and usage, and exports how often each limit was reached.
class QuotasApi {
 public:
  // Adds usage that depends on the caller rather than the organization.
  using More = std::function<awaitable<std::vector<QuotaUse>>(Call& call)>;

  // `path` needs static storage. `told` is the same for other services, without `more`.
  QuotasApi(Process& process, pg::Pool& database, const Quotas& quotas, std::string_view path, const TellQuotas& told,
            More more = {});

 private:
  awaitable<http::Response> list(Call& call);
  awaitable<QuotasResponse> tell(Call& call, QuotasQuery query);

  pg::Pool& database_;
  const Quotas& quotas_;
  More more_;
};

}  // namespace parley::chassis
