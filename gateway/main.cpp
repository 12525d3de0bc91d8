// The gateway: the only port that clients call.
#include "common/chassis/program.hpp"
#include "gateway/gateway.hpp"

namespace {

parley::chassis::Factory configure(parley::chassis::Environment& environment) {
  auto settings = parley::gateway::Settings::read(environment);
  return [settings](parley::chassis::Process& process) {
    return std::make_unique<parley::gateway::Gateway>(process, settings);
  };
}

}  // namespace

int main(int argc, char** argv) {
  return parley::chassis::run(argc, argv,
                              {.name = "gateway",
                               .description = "Routes /api to the services, for callers with a valid credential",
                               .listen = "127.0.0.1:8080",
                               .admin_listen = "127.0.0.1:9080",
                               .configure = configure});
}
