#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/chassis/boundary.hpp"
#include "common/http/client.hpp"
#include "common/identity/token.hpp"

namespace parley::chassis {

class Process;

// What another context knows of several things, as its internal routes answer it: a line each, `id SP json LF`. The
// JSON is spliced into an answer as it is.
class Fragments {
 public:
  explicit Fragments(std::string body = {}, std::shared_ptr<const http::BodyHold> hold = {});
  // The JSON of one id, or nullopt.
  std::optional<std::string_view> of(const model::Uuid& id) const;
  // Appends one line to an answer in the making.
  template <class T>
  static void append(std::string& out, const model::Uuid& id, const T& value) {
    id.append_to(out);
    out += ' ';
    model::write(out, value);
    out += '\n';
  }

 private:
  std::string body_;
  std::shared_ptr<const http::BodyHold> hold_;                                   // of the process's memory for such
  std::unordered_map<model::Uuid, std::pair<std::size_t, std::size_t>> places_;  // offset and length in the body
};

// Another of our services, called in this process's own name.
class ServiceClient {
 public:
  // `context` is its name in Parley-Degraded; `answer_limit` the most octets of an answer.
  ServiceClient(Process& process, std::string context, const std::string& url, std::uint64_t answer_limit = 64 << 20);

  // Asks now; `target` is an internal route. The answer is awaited with parts(), that of any other request by itself.
  http::PendingResponse start(std::string target, const RequestContext& scope);
  http::PendingResponse start(http::ClientRequest request, const RequestContext& scope);
  // The parts, or nullopt when the other side is out of reach, failed, or took longer than `answer_time`.
  awaitable<std::optional<Fragments>> parts(http::PendingResponse pending);
  // One request whose answer is needed: throws http::Unreachable, also for a status of 500 and more.
  awaitable<http::ClientResponse> send(http::ClientRequest request, const RequestContext& scope);

  // The same, the answer's body being left to be read piece by piece. Throws for any status but 200.
  awaitable<std::unique_ptr<http::Exchange>> open(http::ClientRequest request, const RequestContext& scope);

  const std::string& context() const { return context_; }
  http::Client& client() { return client_; }

 private:
  void add_identity(http::ClientRequest& request, const RequestContext& scope);
  Process& process_;
  std::string context_;
  http::Client client_;
};

}  // namespace parley::chassis
