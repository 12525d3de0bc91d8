// The contacts service: contacts, lists and tags.
#include "common/chassis/peer.hpp"
#include "common/chassis/program.hpp"
#include "common/chassis/settings.hpp"
#include "contacts/contacts/api.hpp"
#include "contacts/lists/api.hpp"
#include "contacts/migrations.hpp"

namespace parley::contacts {

namespace {

struct Settings {
  pg::Settings database;
  redis::Settings redis;
  std::string conversations_url;
};

class Contacts final : public chassis::Application {
 public:
  Contacts(chassis::Process& process, const Settings& settings)
      : database_(process.context(), settings.database),
        redis_(process.context().get_executor(), settings.redis),
        counts_(redis_, ""),
        conversations_(process, "conversations", settings.conversations_url),
        contact_store_(database_, counts_),
        contact_api_(process, contact_store_, conversations_),
        list_store_(database_),
        list_api_(process, list_store_) {
    process.watch(database_);
    process.watch(redis_);
    process.watch("conversations", conversations_.client().upstream());
  }

  void start() override {
    database_.start();
    redis_.open();
  }
  boost::asio::awaitable<void> stop() override {
    co_await database_.close();
    redis_.close();
  }

 private:
  pg::Pool database_;
  redis::Client redis_;
  redis::CountCache counts_;
  chassis::Peer conversations_;
  contacts::Store contact_store_;
  contacts::Api contact_api_;
  lists::Store list_store_;
  lists::Api list_api_;
};

chassis::Factory configure(chassis::Environment& environment) {
  Settings settings{chassis::read_database(environment), chassis::read_redis(environment),
                    environment.url("PARLEY_CONVERSATIONS_URL")};
  return [settings](chassis::Process& process) { return std::make_unique<Contacts>(process, settings); };
}

}  // namespace

}  // namespace parley::contacts

int main(int argc, char** argv) {
  return parley::chassis::run(argc, argv,
                              {.name = "contacts",
                               .description = "Contacts, lists and tags",
                               .listen = "127.0.0.1:8081",
                               .admin_listen = "127.0.0.1:9081",
                               .migrations = parley::contacts::migrations,
                               .configure = parley::contacts::configure});
}
