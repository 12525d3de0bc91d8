#include "tests/support/wire.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "common/model/text.hpp"
#include "tests/support/loopback.hpp"

namespace parley::support {

namespace {

std::runtime_error cut_off() { return std::runtime_error("the answer is cut off"); }

}  // namespace

std::string Answer::header(std::string_view name) const {
  for (const auto& [other, value] : headers)
    if (model::equals_ignoring_case(name, other)) return value;
  return {};
}

bool Answer::has(std::string_view name) const {
  for (const auto& [other, value] : headers)
    if (model::equals_ignoring_case(name, other)) return true;
  return false;
}

boost::json::value Answer::json() const { return boost::json::parse(body); }

Wire::Wire(int port, unsigned from) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval timeout{60, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
  const int yes = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  const auto ours = loopback(0, from), address = loopback(port);
  if (from > 0 && ::bind(socket_, reinterpret_cast<const sockaddr*>(&ours), sizeof ours) != 0)
    throw std::system_error(errno, std::generic_category(), "binding to an address of loopback");
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
  const int error = errno;
  ::close(socket_);
  throw std::system_error(error, std::generic_category(), "connecting to port " + std::to_string(port));
}

Wire::~Wire() {
  if (socket_ >= 0) ::close(socket_);
}

Wire::Wire(Wire&& other) noexcept : socket_(std::exchange(other.socket_, -1)), buffer_(std::move(other.buffer_)) {}

bool Wire::send(std::string_view octets) {
  while (!octets.empty()) {
    const auto sent = ::send(socket_, octets.data(), octets.size(), MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) throw std::runtime_error("sending takes too long");
    if (sent <= 0) return false;
    octets.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void Wire::finish_sending() { ::shutdown(socket_, SHUT_WR); }

bool Wire::fill() {
  char octets[65536];
  const auto got = ::recv(socket_, octets, sizeof octets, 0);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) throw std::runtime_error("no answer within a minute");
  if (got <= 0) return false;
  buffer_.append(octets, static_cast<std::size_t>(got));
  return true;
}

std::optional<Answer> Wire::read(bool to_head) {
  for (;;) {
    auto answer = read_any(to_head);
    if (!answer || answer->status >= 200) return answer;
  }
}

std::optional<Answer> Wire::read_any(bool to_head) {
  std::size_t end;
  while ((end = buffer_.find("\r\n\r\n")) == buffer_.npos)
    if (!fill()) {
      if (buffer_.empty()) return std::nullopt;
      throw cut_off();
    }
  Answer answer;
  const auto head = buffer_.substr(0, end + 2);
  buffer_.erase(0, end + 4);
  if (!head.starts_with("HTTP/1.1 ")) throw std::runtime_error("no HTTP/1.1 answer: " + head.substr(0, 80));
  answer.status = static_cast<unsigned>(std::stoul(head.substr(9, 3)));
  for (auto at = head.find("\r\n") + 2; at < head.size();) {
    const auto line_end = head.find("\r\n", at);
    const auto colon = head.find(':', at);
    if (colon == head.npos || colon > line_end) throw std::runtime_error("a line that is no field");
    const auto value = head.find_first_not_of(' ', colon + 1);
    answer.headers.emplace_back(head.substr(at, colon - at),
                                value < line_end ? head.substr(value, line_end - value) : std::string());
    at = line_end + 2;
  }
  if (to_head || answer.status < 200 || answer.status == 204 || answer.status == 304) return answer;
  const auto need = [&](std::size_t octets) {
    while (buffer_.size() < octets)
      if (!fill()) throw cut_off();
  };
  if (model::equals_ignoring_case(answer.header("Transfer-Encoding"), "chunked")) {
    for (;;) {
      std::size_t line;
      while ((line = buffer_.find("\r\n")) == buffer_.npos) need(buffer_.size() + 1);
      const auto size = std::stoul(buffer_.substr(0, line), nullptr, 16);
      need(line + 2 + size + 2);
      answer.body.append(buffer_, line + 2, size);
      buffer_.erase(0, line + 2 + size + 2);
      if (size == 0) return answer;
    }
  }
  if (!answer.has("Content-Length")) throw std::runtime_error("an answer without a length");
  const auto size = std::stoul(answer.header("Content-Length"));
  need(size);
  answer.body = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return answer;
}

bool Wire::closes() { return buffer_.empty() && !fill(); }

std::string request_text(std::string_view method, std::string_view target,
                         const std::vector<std::pair<std::string, std::string>>& headers, std::string_view body) {
  std::string out;
  out.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: parley.test\r\n");
  for (const auto& [name, value] : headers) out.append(name).append(": ").append(value).append("\r\n");
  if (!body.empty() || method == "POST")
    out.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  return out.append("\r\n").append(body);
}

}  // namespace parley::support
