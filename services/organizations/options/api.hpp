#pragma once
#include "common/chassis/process.hpp"
#include "organizations/options/shapes.hpp"

namespace parley::organizations::options {

using boost::asio::awaitable;

// GET /api/options, for everybody.
class Api {
 public:
  Api(chassis::Process& process, Options options);

 private:
  awaitable<http::Response> find(chassis::Call& call);

  const OptionsResponse answer_;
};

}  // namespace parley::organizations::options
