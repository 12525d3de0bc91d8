#pragma once
// HTTP/1.1 for tests: sends exact octets over a blocking socket, and reads responses.
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

  // The field's value, "" if missing; ignores the case of the name.
  std::string header(std::string_view name) const;
  bool has(std::string_view name) const;
  boost::json::value json() const;
};

// A connection to a port of this machine. Throws std::runtime_error if an operation takes longer than a minute.
class Wire {
 public:
  explicit Wire(int port, unsigned from = 0);
  ~Wire();
  Wire(Wire&& other) noexcept;
  Wire& operator=(Wire&&) = delete;

  // False if the peer has closed the connection.
  bool send(std::string_view octets);
  void finish_sending();
  // The next final response; nullopt if the connection ended before it. Throws std::runtime_error if it is truncated.
  std::optional<Answer> read(bool to_head = false);
  // The next response, including 1xx.
  std::optional<Answer> read_any(bool to_head = false);
  // Whether the peer closes without sending anything more.
  bool closes();

 private:
  bool fill();

  int socket_ = -1;
  std::string buffer_;
};

// A request with the given fields and body, and with Host, Content-Length and `Connection: close`.
std::string request_text(std::string_view method, std::string_view target,
                         const std::vector<std::pair<std::string, std::string>>& headers = {},
                         std::string_view body = {});

}  // namespace parley::support
