#include "tests/support/mail_server.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "tests/support/component.hpp"
#include "tests/support/loopback.hpp"

namespace parley::support {

namespace json = boost::json;

std::string Mail::header(std::string_view name) const {
  std::string out;
  int found = 0;
  for (const auto& [each, value] : headers) {
    if (each != name) continue;
    out = value;
    ++found;
  }
  if (found > 1) throw std::runtime_error("a mail has several fields " + std::string(name));
  return out;
}

std::string Mail::token() const {
  const std::string_view mark = "#token=";
  const auto at = text.find(mark);
  if (at == text.npos) throw std::runtime_error("a mail has no token: " + text);
  const auto begin = at + mark.size();
  return text.substr(begin, text.find_first_of("\r\n", begin) - begin);
}

MailServer::MailServer(MailServerOptions options_) : Process("mail"), options(std::move(options_)) { start(); }

void MailServer::start() {
  const json::object arguments{{"port", port_},
                               {"tls", options.tls},
                               {"certificate", options.certificate},
                               {"key", options.key},
                               {"user", options.user},
                               {"password", options.password},
                               {"recipient", options.recipient},
                               {"text", options.text},
                               {"silent", options.is_silent}};
  // The text and not the path: the server's account may not reach this clone.
  static const auto program = text_of(PARLEY_SOURCE_DIR "/tests/support/mail_server.py");
  spawn({"/usr/bin/python3", "-I", "-c", program, json::serialize(arguments)}, SIGKILL);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!accepts()) {
    if (exited() || std::chrono::steady_clock::now() > limit)
      throw std::runtime_error("the mail server does not start (it needs python3-aiosmtpd):\n" + log());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void MailServer::stop() {
  signal_all(SIGKILL);
  wait_for_exit();
}

bool MailServer::accepts() const {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto address = loopback(port_);
  const bool is_connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(socket);
  return is_connected;
}

std::vector<Mail> MailServer::mails() const {
  std::vector<Mail> out;
  std::ifstream file(directory_ / "mails");
  for (std::string line; std::getline(file, line) && !file.eof();) {  // a line without an end is being written
    const auto mail = json::parse(line);
    Mail& added = out.emplace_back();
    added.sender = mail.at("sender").as_string();
    for (const auto& each : mail.at("recipients").as_array()) added.recipients.emplace_back(each.as_string());
    for (const auto& each : mail.at("headers").as_array())
      added.headers.emplace_back(each.at(0).as_string(), each.at(1).as_string());
    added.text = mail.at("text").as_string();
    added.octets = mail.at("octets").as_string();
    added.is_encrypted = mail.at("encrypted").as_bool();
    if (mail.at("user").is_string()) added.user = mail.at("user").as_string();
  }
  return out;
}

std::vector<Mail> MailServer::mails_to(std::string_view recipient) const {
  auto out = mails();
  std::erase_if(out, [&](const Mail& mail) { return mail.recipients != std::vector{std::string(recipient)}; });
  return out;
}

}  // namespace parley::support
