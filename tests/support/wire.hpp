#pragma once
// HTTP/1.1 as tests need it: the exact octets over a socket that blocks, answers read as they come.
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::support {

struct Answer {
  unsigned status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  // The field's value, "" if it is not there; its name in any case.
  std::string header(std::string_view name) const;
  bool has(std::string_view name) const;
  // Throws when the body is no JSON.
  boost::json::value json() const;
};

// A connection to a port of this machine. What takes longer than a minute is a std::runtime_error.
class Wire {
 public:
  // From 127.0.0.1, or the address so many after it.
  explicit Wire(int port, unsigned from = 0);
  ~Wire();
  Wire(Wire&& other) noexcept;
  Wire& operator=(Wire&&) = delete;

  // False when the other side has closed meanwhile.
  bool send(std::string_view octets);
  void finish_sending();
  // The next answer that is not 1xx; nullopt when the connection ended before it began. An answer that is cut off is a
  // std::runtime_error.
  std::optional<Answer> read(bool to_head = false);
  // The next answer, 1xx too.
  std::optional<Answer> read_any(bool to_head = false);
  // Whether the other side closes without another octet.
  bool closes();

 private:
  bool fill();

  int socket_ = -1;
  std::string buffer_;
};

// Sends one request on a connection of its own and reads its answer. Fields and body as given, with Host,
// Content-Length and `Connection: close`.
std::string request_text(std::string_view method, std::string_view target,
                         const std::vector<std::pair<std::string, std::string>>& headers = {},
                         std::string_view body = {});

}  // namespace parley::support
