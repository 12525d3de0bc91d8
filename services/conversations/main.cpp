// The conversations service: conversations and their messages.
#include "conversations/commands.hpp"
#include "conversations/roles.hpp"
#include "conversations/schema.hpp"

int main(int argc, char** argv) {
  using namespace parley::conversations;
  return parley::chassis::run(argc, argv,
                              {.name = "conversations",
                               .description = "Conversations and their messages",
                               .listen = "127.0.0.1:8082",
                               .admin_listen = "127.0.0.1:9082",
                               .schema = schema,
                               .configure = configure_serving,
                               .roles = {{.name = "dispatch",
                                          .description = "Send and receive over the channel until SIGTERM",
                                          .admin_listen = "127.0.0.1:9085",
                                          .configure = configure_dispatching}},
                               .add_commands = add_commands});
}
