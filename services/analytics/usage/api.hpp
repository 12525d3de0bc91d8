#pragma once
#include "analytics/usage/shapes.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/quotas_told.hpp"
#include "common/chassis/service_client.hpp"
#include "common/pg/pool.hpp"

namespace parley::analytics::usage {

using boost::asio::awaitable;

// The quotas of all services in one answer, by their names: one that a service adds is in it. This service asks them,
// as it has counted the messages and no other depends on it.
class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, chassis::ServiceClient& organizations,
      chassis::ServiceClient& contacts, chassis::ServiceClient& conversations);

 private:
  struct Part {
    chassis::ServiceClient& service;
    const chassis::TellQuotas& operation;
    std::optional<chassis::QuotasResponse> answer{};
  };

  awaitable<http::Response> tell(chassis::Call& call);
  static awaitable<void> ask(const chassis::Call& call, Part& part);
  awaitable<std::int64_t> messages_of_today(model::Uuid organization);

  pg::Pool& database_;
  chassis::ServiceClient &organizations_, &contacts_, &conversations_;
};

}  // namespace parley::analytics::usage
