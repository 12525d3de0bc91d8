#pragma once
// A client of GET /api/events, which reads what comes when it comes, and an endpoint that webhooks are posted to.
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/e2e/world.hpp"

namespace parley::e2e {

class Stream {
 public:
  Stream(System& system, const std::string& api_key, const std::string& query, Headers headers = {},
         std::size_t gateway = 0);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  unsigned status() const { return status_; }
  const std::string& head() const { return head_; }
  // Reads until the text has come: false when the stream ends before. A minute in vain fails the test.
  bool hears(const std::string& text);
  // Reads to the end: whether it came in order, with the body's last chunk.
  bool ends_well();
  const std::string& heard() const { return heard_; }
  std::string last_id() const;

 private:
  bool read();  // false at the connection's end
  void take_chunks();

  int socket_ = -1;
  unsigned status_ = 0;
  bool whole_ = false;
  std::string head_, rest_, heard_;
};

// Answers every request with 204.
class Receiver {
 public:
  Receiver();
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  std::string url() const { return "http://" + System::local_address() + ":" + std::to_string(port_) + "/hook"; }
  struct Call {
    std::map<std::string, std::string> fields;  // names in lower case
    std::string body;
  };
  std::vector<Call> calls();

 private:
  void run();
  bool serve(int socket);
  int listener_ = -1, port_ = 0;
  std::mutex mutex_;
  std::vector<Call> calls_;
  std::thread thread_;
};

}  // namespace parley::e2e
