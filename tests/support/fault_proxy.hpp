#pragma once
// A TCP relay in front of a server on loopback that injects faults; runs in a thread of its own.
#include <atomic>
#include <chrono>
#include <deque>
#include <list>
#include <string>
#include <thread>

namespace parley::support {

class FaultProxy {
 public:
  explicit FaultProxy(int server_port);
  ~FaultProxy();
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;

  int port() const { return port_; }

  // Delays all octets in each direction from now on; 0: no delay.
  void delay(std::chrono::milliseconds time) { delay_ = time.count(); }
  // Keeps and accepts connections, but passes nothing until switched off.
  void hang(bool on) { hangs_ = on; }
  void cut(bool on) { cut_ = on; }
  std::size_t connections() const { return count_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Piece {
    Clock::time_point due;
    std::string octets;
  };
  struct Way {
    int from, to;
    std::deque<Piece> pieces;
    std::size_t waiting = 0;  // octets
    bool ended = false;       // the sender has closed
    bool closed = false;      // the receiver was told
  };
  struct Pair {
    Way ways[2];
    bool broken = false;
  };

  void run();
  void accept();
  void read(Way& way, Pair& pair);
  void write(Way& way, Pair& pair);
  void close(Pair& pair, bool with_reset);

  const int server_port_;
  int listener_ = -1, port_ = 0;
  std::list<Pair> pairs_;
  std::atomic<std::int64_t> delay_ = 0;
  std::atomic<bool> hangs_ = false, cut_ = false, stop_ = false;
  std::atomic<std::size_t> count_ = 0;
  std::thread thread_;
};

}  // namespace parley::support
