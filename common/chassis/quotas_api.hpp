#pragma once
#include <functional>

#include "common/chassis/process.hpp"
#include "common/chassis/quotas.hpp"

namespace parley::chassis {

// Answers how an organization stands to its limits, and shows how often each was reached.
class QuotasApi {
 public:
  // What else there is to tell: of whoever asks, not of the organization.
  using More = std::function<awaitable<std::vector<QuotaUse>>(Call& call)>;

  // At `path`, which has static storage.
  QuotasApi(Process& process, pg::Pool& database, const Quotas& quotas, std::string_view path, More more = {});

 private:
  awaitable<http::Response> list(Call& call);

  pg::Pool& database_;
  const Quotas& quotas_;
  More more_;
};

}  // namespace parley::chassis
