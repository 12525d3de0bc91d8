#pragma once
#include "analytics/reports/store.hpp"
#include "common/chassis/process.hpp"

namespace parley::analytics::reports {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> campaigns(chassis::Call& call);
  awaitable<http::Response> campaign(chassis::Call& call);
  awaitable<http::Response> primary(chassis::Call& call);
  awaitable<Span> span_of(ReportQuery query);

  Store& store_;
};

}  // namespace parley::analytics::reports
