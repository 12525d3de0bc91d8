// What becomes of a message that was sent to the channel, whatever the channel does.
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <set>

#include "common/model/text.hpp"
#include "tests/integration/channel_bed.hpp"
#include "tests/integration/http_bed.hpp"
#include "tests/support/loopback.hpp"

using namespace parley;
using namespace parley::channel_tests;
using channel::Outcome;
using channel::Reaction;
using http_tests::ScriptedServer;
using Kind = Outcome::Kind;

namespace {

constexpr std::string_view kBody = R"({"messaging_product":"whatsapp","to":"4915112345678"})";

std::string answer(unsigned status, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) +
         " X\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string accepted(const std::string& id) {
  return answer(200, R"({"messaging_product":"whatsapp","contacts":[{"input":"49","wa_id":"49"}],"messages":[{"id":")" +
                         id + "\"}]}");
}

std::string error(int code, const std::string& more = "") {
  return R"({"error":{"message":"refused","type":"OAuthException","code":)" + std::to_string(code) + more + "}}";
}

channel::Settings settings(const std::string& url) {
  channel::Settings out;
  out.url = url + "/v20.0";
  out.answer_time = 300ms;
  return out;
}

channel::Account account() {
  channel::Account out;
  out.phoneNumberId = "200000000000001";
  out.accessToken = "the-token";
  return out;
}

// Sends one message to a channel that does as the script says.
struct Sending {
  explicit Sending(std::function<void(ScriptedServer::Peer&, int)> script)
      : server(std::move(script)), client(loop.process, settings(server.url())) {}
  Outcome send(std::string body = std::string(kBody)) { return loop.run(client.send(account(), std::move(body))); }

  ScriptedServer server;
  Loop loop;
  channel::Client client;
};

Outcome outcome_of(const std::string& whole_answer) {
  Sending sending([&](ScriptedServer::Peer& peer, int) {
    peer.head();
    peer.read(kBody.size());
    peer.send(whole_answer);
    peer.wait_for_end();
  });
  return sending.send();
}

}  // namespace

TEST_SUITE("channel: outcomes") {
  TEST_CASE("a message id is the only thing that says that it was accepted") {
    std::string head, body;
    Sending sending([&](ScriptedServer::Peer& peer, int) {
      head = peer.head();
      body = peer.read(kBody.size());
      peer.send(accepted("wamid.1"));
      peer.wait_for_end();
    });
    const auto outcome = sending.send();
    CHECK(outcome.kind == Kind::accepted);
    CHECK(outcome.channel_message_id == "wamid.1");
    CHECK(head.starts_with("POST /v20.0/200000000000001/messages HTTP/1.1\r\n"));
    CHECK(head.find("Authorization: Bearer the-token\r\n") != head.npos);
    CHECK(head.find("Content-Type: application/json\r\n") != head.npos);
    CHECK(body == kBody);

    for (const auto& strange :
         {answer(200, "{}"), answer(200, R"({"messages":[]})"), answer(200, R"({"messages":[{"id":""}]})"),
          answer(200, R"({"messages":[{"id":7}]})"), answer(200, R"({"success":true})"), answer(200, "<html>"),
          answer(200, ""), answer(204, ""), answer(302, R"({"messages":[{"id":"wamid.1"}]})"),
          answer(500, R"({"messages":[{"id":"wamid.1"}]})")}) {
      CAPTURE(strange);
      CHECK(outcome_of(strange).kind == Kind::in_doubt);
    }
  }

  TEST_CASE("an error that says that nothing was sent is a refusal, whatever the status") {
    for (const unsigned status : {200U, 400U, 401U, 403U, 404U, 429U, 500U, 503U, 504U}) {
      CAPTURE(status);
      const auto outcome = outcome_of(answer(status, error(131056)));
      CHECK(outcome.kind == Kind::refused);
      CHECK(outcome.refusal.code == 131056);
      CHECK(outcome.refusal.reaction == Reaction::slow_recipient);
    }
    CHECK(outcome_of(answer(401, error(190))).refusal.reaction == Reaction::stop_account);
    CHECK(outcome_of(answer(400, error(17))).refusal.reaction == Reaction::slow_number);
  }

  TEST_CASE("an error that does not say so is a refusal with 4xx alone, and anything else is in doubt") {
    for (const auto code : {1, 2, 131000, 131016, 135000}) {
      CAPTURE(code);
      const auto refused = outcome_of(answer(400, error(code)));
      CHECK(refused.kind == Kind::refused);
      CHECK(refused.refusal.reaction == Reaction::retry);
      for (const unsigned status : {200U, 500U, 502U, 503U, 504U})
        CHECK(outcome_of(answer(status, error(code))).kind == Kind::in_doubt);
    }
    CHECK(outcome_of(answer(400, error(424242))).refusal.reaction == Reaction::give_up);
    CHECK(outcome_of(answer(400, error(424242, R"(,"is_transient":true)"))).refusal.reaction == Reaction::retry);
    CHECK(outcome_of(answer(504, error(424242))).kind == Kind::in_doubt);
    CHECK(outcome_of(answer(503, error(424242, R"(,"is_transient":true)"))).kind == Kind::in_doubt);
    CHECK(outcome_of(answer(503, error(2))).error == "status 503 with error 2");
    for (const auto& strange :
         {answer(500, ""), answer(502, "<html>Bad Gateway</html>"), answer(400, R"({"error":"no"})"),
          answer(400, R"({"error":{"message":"no code"}})"), answer(400, R"({"error":{"code":"131056"}})"),
          answer(400, R"({"error":null})"), answer(503, R"({"error":{"code":131056)")}) {
      CAPTURE(strange);
      CHECK(outcome_of(strange).kind == Kind::in_doubt);
    }
  }

  TEST_CASE("what the channel says about a refusal is kept, within bounds") {
    const auto outcome =
        outcome_of(answer(400, error(131009, R"(,"error_data":{"details":"Button title length invalid"})")));
    CHECK(outcome.refusal.text == "refused: Button title length invalid");
    std::string umlauts;
    for (int i = 0; i < 400; ++i) umlauts += "ä";
    const auto large = outcome_of(answer(400, error(131009, R"(,"error_data":{"details":"x)" + umlauts + "\"}")));
    CHECK(large.refusal.text.size() <= 500);
    CHECK(model::count_characters(large.refusal.text).has_value());
  }

  TEST_CASE("a connection that breaks once something was written leaves it in doubt, and is not tried again") {
    std::atomic<int> requests = 0;
    const auto count = [&](ScriptedServer::Peer& peer) { requests += !peer.head().empty(); };
    SUBCASE("reset without an answer") {
      Sending sending([&](ScriptedServer::Peer& peer, int) {
        count(peer);
        peer.reset();
      });
      CHECK(sending.send().kind == Kind::in_doubt);
      CHECK(requests == 1);
    }
    SUBCASE("closed in order without an answer") {
      Sending sending([&](ScriptedServer::Peer& peer, int) {
        count(peer);
        peer.close();
      });
      CHECK(sending.send().kind == Kind::in_doubt);
      CHECK(requests == 1);
    }
    SUBCASE("half an answer") {
      Sending sending([&](ScriptedServer::Peer& peer, int) {
        count(peer);
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"messages\":[{\"id\":\"wamid.1\"}]}");
        peer.close();
      });
      CHECK(sending.send().kind == Kind::in_doubt);
      CHECK(requests == 1);
    }
    SUBCASE("what is no HTTP") {
      Sending sending([&](ScriptedServer::Peer& peer, int) {
        count(peer);
        peer.send("hello\r\n\r\n");
        peer.wait_for_end();
      });
      CHECK(sending.send().kind == Kind::in_doubt);
      CHECK(requests == 1);
    }
  }

  TEST_CASE("a time-out takes back what was not delivered, and ends the connection at once") {
    SUBCASE("the other side learns that nobody waits any more") {
      std::atomic<int> ended_by = 0;
      {
        Sending sending([&](ScriptedServer::Peer& peer, int) {
          peer.head();
          peer.read(kBody.size());
          char octet;
          const auto got = ::recv(peer.descriptor(), &octet, 1, 0);
          ended_by = got < 0 ? errno : -1;
        });
        CHECK(sending.send().kind == Kind::in_doubt);
        sending.loop.turn_until([&] { return ended_by != 0; });
      }
      CHECK(ended_by == ECONNRESET);
    }
    SUBCASE("a request that was stuck in the kernel does not come through later") {
      std::atomic<bool> is_given_up = false, is_read = false;
      std::atomic<std::size_t> arrived = 0;
      const std::string large(256 * 1024, 'x');  // most of it stays with the sender, whom the script's window stops
      {
        Sending sending([&](ScriptedServer::Peer& peer, int) {
          const int small = 4096;
          ::setsockopt(peer.descriptor(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
          while (!is_given_up) std::this_thread::sleep_for(1ms);
          std::array<char, 65536> octets;
          for (;;) {
            const auto got = ::recv(peer.descriptor(), octets.data(), octets.size(), 0);
            if (got <= 0) break;
            arrived += static_cast<std::size_t>(got);
          }
          is_read = true;
        });
        CHECK(sending.send(large).kind == Kind::in_doubt);
        is_given_up = true;
        sending.loop.turn_until([&] { return is_read.load(); });
      }
      CHECK(arrived < large.size());
    }
  }

  TEST_CASE("where nothing can have been sent, it may be sent again") {
    SUBCASE("nobody listens") {
      Loop loop;
      channel::Client client(loop.process, settings("http://127.0.0.1:" + std::to_string(support::free_port())));
      CHECK(loop.run(client.send(account(), std::string(kBody))).kind == Kind::not_sent);
    }
    SUBCASE("a name that nobody knows") {
      Loop loop;
      channel::Client client(loop.process, settings("http://no-such-host.invalid"));
      CHECK(loop.run(client.send(account(), std::string(kBody))).kind == Kind::not_sent);
    }
    SUBCASE("TLS does not come about") {
      ScriptedServer server([](ScriptedServer::Peer& peer, int) { peer.close(); });
      Loop loop;
      auto tls = settings("https" + server.url().substr(4));
      channel::Client client(loop.process, tls);
      CHECK(loop.run(client.send(account(), std::string(kBody))).kind == Kind::not_sent);
    }
  }

  TEST_CASE("connections are kept, and one that the channel closed meanwhile is not used") {
    std::atomic<bool> is_closed = false;
    Sending sending([&](ScriptedServer::Peer& peer, int number) {
      for (int i = 0; i < 2; ++i) {
        peer.head();
        peer.read(kBody.size());
        peer.send(accepted("wamid." + std::to_string(number) + std::to_string(i)));
      }
      peer.close();
      is_closed = true;
    });
    std::set<std::string> ids;
    for (int i = 0; i < 2; ++i) ids.insert(sending.send().channel_message_id);
    CHECK(sending.server.connections() == 1);
    sending.loop.turn_until([&] { return is_closed.load(); });
    for (int i = 0; i < 2; ++i) ids.insert(sending.send().channel_message_id);
    CHECK(sending.server.connections() == 2);
    CHECK(ids.size() == 4);
  }

  TEST_CASE("a receipt succeeds by the channel's word for it") {
    std::string body;
    const std::string expected = R"({"messaging_product":"whatsapp","status":"read","message_id":"wamid.\"1"})";
    Sending sending([&](ScriptedServer::Peer& peer, int) {
      for (const std::string success : {"true", "false"}) {
        peer.head();
        body = peer.read(expected.size());
        peer.send(answer(200, R"({"success":)" + success + "}"));
      }
      peer.wait_for_end();
    });
    CHECK(sending.loop.run(sending.client.mark_read(account(), "wamid.\"1")).kind == Kind::accepted);
    CHECK(body == expected);
    const auto doubtful = sending.loop.run(sending.client.mark_read(account(), "wamid.\"1"));
    CHECK(doubtful.kind == Kind::in_doubt);
    CHECK(doubtful.error == "status 200 without success");
  }
}
