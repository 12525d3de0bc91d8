#pragma once
// A private SMTP server (aiosmtpd, another program than what sends) that tests start, stop and let misbehave. It keeps
// its port and its mails.
#include <map>
#include <string>
#include <vector>

#include "tests/support/servers.hpp"

namespace parley::support {

struct MailServerOptions {
  std::string tls{};  // "starttls": required; "implicit": from the first octet; "": none
  std::string certificate{}, key{};
  std::string user{}, password{};  // required of clients, if any
  std::string recipient{};         // the reply to each RCPT; "": 250
  std::string text{};              // the reply after the text of a mail, which it takes all the same; "": 250
  bool is_silent = false;          // does not reply after the text
};

struct Mail {
  std::string sender;
  std::vector<std::string> recipients;
  std::vector<std::pair<std::string, std::string>> headers;  // decoded
  std::string text;                                          // decoded
  std::string octets;                                        // as it came
  bool is_encrypted = false;
  std::string user;

  std::string header(std::string_view name) const;  // "" if there is none; throws if there are several
  // What stands behind #token= in its link.
  std::string token() const;
};

class MailServer : private Process {
 public:
  explicit MailServer(MailServerOptions options = {});  // and start
  ~MailServer() = default;

  MailServerOptions options;  // from the next start on

  void start();  // waits until it greets
  void stop();
  int port() const { return port_; }
  std::string url() const { return "smtp://127.0.0.1:" + std::to_string(port_); }

  std::vector<Mail> mails() const;  // in the order in which they came
  std::vector<Mail> mails_to(std::string_view recipient) const;

  using Process::log;

 private:
  bool accepts() const;
};

}  // namespace parley::support
