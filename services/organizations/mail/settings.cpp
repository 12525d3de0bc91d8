#include "organizations/mail/settings.hpp"

#include <curl/curl.h>
#include <unistd.h>

#include <boost/asio/ip/address.hpp>
#include <memory>

namespace parley::organizations::mail {

namespace {

constexpr auto kUrl = "PARLEY_SMTP_URL", kTls = "PARLEY_SMTP_TLS", kAuthorities = "PARLEY_SMTP_CA_FILE",
               kFrom = "PARLEY_MAIL_FROM", kPages = "PARLEY_MAIL_PAGES_URL", kPublic = "PARLEY_PUBLIC_URL";

struct Server {
  std::string scheme, host;
};

// nullopt if libcurl cannot send mail to it.
std::optional<Server> read_server(const std::string& text) {
  const std::unique_ptr<CURLU, decltype(&::curl_url_cleanup)> url(::curl_url(), ::curl_url_cleanup);
  if (!url || ::curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) return std::nullopt;
  const auto part = [&](CURLUPart which) {
    char* found = nullptr;
    if (::curl_url_get(url.get(), which, &found, 0) != CURLUE_OK) return std::string();
    const std::unique_ptr<char, decltype(&::curl_free)> owned(found, ::curl_free);
    return std::string(found);
  };
  Server out{part(CURLUPART_SCHEME), part(CURLUPART_HOST)};
  const bool is_fine = (out.scheme == "smtp" || out.scheme == "smtps") && !out.host.empty() &&
                       part(CURLUPART_QUERY).empty() && part(CURLUPART_FRAGMENT).empty();
  return is_fine ? std::optional(std::move(out)) : std::nullopt;
}

bool is_loopback(std::string host) {
  if (host == "localhost") return true;
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(host, error);
  return !error && address.is_loopback();
}

bool read_tls(chassis::Environment& environment, const Server& server) {
  const auto wanted = environment.text(kTls, server.scheme == "smtp" && is_loopback(server.host) ? "off" : "required");
  if (wanted != "required" && wanted != "off") environment.fault(kTls, "must be required or off");
  if (wanted == "off" && server.scheme == "smtps") environment.fault(kTls, "cannot be off: smtps begins with TLS");
  return wanted != "off";
}

std::string read_pages(chassis::Environment& environment) {
  const auto name = environment.text(kPages, "").empty() ? kPublic : kPages;
  auto url = environment.url(name);
  if (url.find(',') != url.npos) environment.fault(name, "must be one URL");
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace

std::optional<Settings> Settings::read(chassis::Environment& environment) {
  if (environment.text(kUrl, "").empty()) {
    for (const auto* name : {kTls, kAuthorities, kFrom, kPages})
      if (!environment.text(name, "").empty()) environment.fault(name, "is of no use without PARLEY_SMTP_URL");
    return std::nullopt;
  }
  Settings out;
  out.url = environment.secret(kUrl);
  const auto server = read_server(out.url);
  if (server)
    out.is_encrypted = read_tls(environment, *server);
  else
    environment.fault(kUrl, "must be smtp://[USER:PASSWORD@]HOST[:PORT] or smtps://…");
  out.ca_file = environment.text(kAuthorities, "");
  if (!out.ca_file.empty() && ::access(out.ca_file.c_str(), R_OK) != 0)
    environment.fault(kAuthorities, "cannot be read from " + out.ca_file);
  const auto from = environment.text(kFrom);
  if (auto mailbox = read_mailbox(from))
    out.from = std::move(*mailbox);
  else if (!from.empty())
    environment.fault(kFrom, "must be an e-mail address in ASCII, or NAME <ADDRESS>");
  out.pages = read_pages(environment);
  return out;
}

}  // namespace parley::organizations::mail
