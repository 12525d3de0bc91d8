#include "tests/e2e/stream_bed.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

#include "tests/support/loopback.hpp"

namespace parley::e2e {

Stream::Stream(System& system, const std::string& api_key, const std::string& query, Headers headers,
               std::size_t gateway) {
  headers.emplace_back("Authorization", "Bearer " + api_key);
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto address = support::loopback(system.gateway(gateway).port());
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("the gateway does not listen");
  const auto request = support::request_text("GET", "/api/events" + query, headers);
  if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
    throw std::runtime_error("the gateway does not read");
  std::size_t end = rest_.npos;
  while ((end = rest_.find("\r\n\r\n")) == rest_.npos)
    if (!read()) throw std::runtime_error("no answer");
  head_ = rest_.substr(0, end + 4);
  rest_.erase(0, end + 4);
  status_ = static_cast<unsigned>(std::stoi(head_.substr(9, 3)));
  take_chunks();
}

Stream::~Stream() { ::close(socket_); }

bool Stream::read() {
  pollfd wait{socket_, POLLIN, 0};
  if (::poll(&wait, 1, 60'000) <= 0) throw std::runtime_error("waited a minute in vain: " + heard_);
  char buffer[16'384];
  const auto got = ::recv(socket_, buffer, sizeof buffer, 0);
  if (got <= 0) return false;
  rest_.append(buffer, static_cast<std::size_t>(got));
  return true;
}

void Stream::take_chunks() {
  while (!whole_) {
    const auto line = rest_.find("\r\n");
    if (line == rest_.npos) return;
    const auto size = std::stoul(rest_.substr(0, line), nullptr, 16);
    if (rest_.size() < line + 2 + size + 2) return;
    heard_ += rest_.substr(line + 2, size);
    rest_.erase(0, line + 2 + size + 2);
    whole_ = size == 0;
  }
}

bool Stream::hears(const std::string& text) {
  while (heard_.find(text) == heard_.npos) {
    if (whole_ || !read()) return false;
    take_chunks();
  }
  return true;
}

bool Stream::ends_well() {
  while (!whole_ && read()) take_chunks();
  return whole_;
}

std::string Stream::last_id() const {
  const auto whole = heard_.substr(0, heard_.rfind("\n\n") + 1);
  const auto at = whole.rfind("id: ");
  return at == whole.npos ? "" : whole.substr(at + 4, whole.find('\n', at) - at - 4);
}

// ---- an endpoint ----------------------------------------------------------------------------------------------------

Receiver::Receiver() {
  auto address = support::loopback(0);
  ::inet_pton(AF_INET, System::local_address().c_str(), &address.sin_addr);
  const auto listener = support::listen(address);
  listener_ = listener.socket;
  port_ = listener.port;
  thread_ = std::thread([this] { run(); });
}

Receiver::~Receiver() {
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  ::close(listener_);
}

std::vector<Receiver::Call> Receiver::calls() {
  const std::lock_guard lock(mutex_);
  return calls_;
}

// One connection at a time, closed after its answer.
void Receiver::run() {
  for (;;) {
    const int socket = ::accept(listener_, nullptr, nullptr);
    if (socket < 0) return;
    serve(socket);
    ::close(socket);
  }
}

bool Receiver::serve(int socket) {
  std::string text;
  std::size_t body = 0, length = 0;
  Call call;
  while (body == 0 || text.size() < body + length) {
    char buffer[16'384];
    pollfd wait{socket, POLLIN, 0};
    const auto got = ::poll(&wait, 1, 30'000) > 0 ? ::recv(socket, buffer, sizeof buffer, 0) : 0;
    if (got <= 0) return false;
    text.append(buffer, static_cast<std::size_t>(got));
    const auto end = text.find("\r\n\r\n");
    if (body > 0 || end == text.npos) continue;
    body = end + 4;
    for (auto at = text.find("\r\n") + 2; at < body - 2; at = text.find("\r\n", at) + 2) {
      const auto colon = text.find(": ", at);
      auto name = text.substr(at, colon - at);
      for (auto& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      call.fields[name] = text.substr(colon + 2, text.find("\r\n", at) - colon - 2);
    }
    length = std::stoul(call.fields["content-length"]);
  }
  call.body = text.substr(body, length);
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
  }
  constexpr std::string_view answer = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
  return ::send(socket, answer.data(), answer.size(), MSG_NOSIGNAL) > 0;
}

}  // namespace parley::e2e
