// A stand-in for the messaging channel (the WhatsApp Business Cloud API), for development and tests.
#include <sodium.h>

#include <CLI/CLI.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <fstream>

#include "common/http/loop.hpp"
#include "common/http/probe.hpp"
#include "tests/simulator/simulator.hpp"

namespace {

boost::asio::ip::tcp::endpoint parse_endpoint(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == text.npos) throw CLI::ValidationError("--listen", "must be ADDRESS:PORT");
  return {boost::asio::ip::make_address(text.substr(0, colon)),
          static_cast<unsigned short>(std::stoul(text.substr(colon + 1)))};
}

int serve(const std::string& listen, parley::simulator::Settings settings) {
  parley::http::Loop context;
  parley::http::DeadlineSweeper wheel(context);
  parley::simulator::Simulator simulator(context, wheel, parse_endpoint(listen), std::move(settings));
  boost::asio::signal_set signals(context, SIGTERM, SIGINT);
  signals.async_wait([&](boost::system::error_code, int) { context.stop(); });
  simulator.start();
  std::printf("{\"listening\":%u}\n", static_cast<unsigned>(simulator.endpoint().port()));
  std::fflush(stdout);
  context.run();
  context.end();
  return 0;
}

// Accepts any response: without an admin port, the simulator is ready once it listens.
int ask_health(const std::string& listen) {
  parley::http::probe(parse_endpoint(listen), "/", std::chrono::seconds(1));
  return 0;
}

std::string first_line_of(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A development stand-in for the messaging channel; what it knows is gone with it", "parley-simulator");
  std::string listen = "127.0.0.1:8090";
  parley::simulator::Settings settings{"300000000000001", "", "100000000000001", "200000000000001", ""};
  app.add_option("--listen", listen, "ADDRESS:PORT, port 0 for any")->envname("PARLEY_LISTEN")->capture_default_str();
  app.add_option("--app-id", settings.app_id, "The application's id")
      ->envname("PARLEY_CHANNEL_APP_ID")
      ->capture_default_str();
  app.add_option("--app-secret", settings.app_secret, "The application's secret")->envname("PARLEY_CHANNEL_APP_SECRET");
  std::string secret_file;
  app.add_option("--app-secret-file", secret_file, "A file that holds it")
      ->envname("PARLEY_CHANNEL_APP_SECRET_FILE")
      ->check(CLI::ExistingFile);
  app.add_option("--business-account-id", settings.business_account_id, "A business account to begin with")
      ->envname("PARLEY_BUSINESS_ACCOUNT_ID")
      ->capture_default_str();
  app.add_option("--phone-number-id", settings.phone_number_id, "Its phone number")
      ->envname("PARLEY_PHONE_NUMBER_ID")
      ->capture_default_str();
  app.add_option("--webhook-url", settings.webhook_url, "Where the application's webhooks go; none if empty")
      ->envname("PARLEY_WEBHOOK_URL");
  app.add_flag("--open-window", settings.open_window,
               "Take messages that are no templates at any time: who wrote before the start is not known")
      ->envname("PARLEY_SIMULATOR_OPEN_WINDOW");
  app.add_subcommand("serve", "Serve until SIGTERM (the default)")->fallthrough();
  const auto* const health = app.add_subcommand("health", "Whether it listens; the exit status tells")->fallthrough();
  try {
    app.parse(argc, argv);
    if (health->parsed()) return ask_health(listen);
    if (!secret_file.empty()) settings.app_secret = first_line_of(secret_file);
    if (settings.app_secret.empty()) throw CLI::RequiredError("--app-secret or --app-secret-file");
    std::signal(SIGPIPE, SIG_IGN);
    if (sodium_init() < 0) throw std::runtime_error("libsodium cannot start");
    return serve(listen, std::move(settings));
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parley-simulator: %s\n", error.what());
    return 1;
  }
}
