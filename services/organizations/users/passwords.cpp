#include "organizations/users/passwords.hpp"

#include <sodium.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <exception>
#include <stdexcept>

#include "common/async/event.hpp"
#include "common/http/address.hpp"

namespace parley::organizations::users {

namespace asio = boost::asio;

namespace {

constexpr unsigned long long kPasses = 2;
constexpr std::size_t kMemory = 19 * 1024 * 1024;  // octets
constexpr std::size_t kPlacesAThread = 4;
constexpr std::size_t kMinLength = 8, kMaxLength = 256, kMaxEmailLength = 254;

// The hash of an unknown password, at the same cost: verified where there is no hash, to take equally long.
constexpr const char* kNobodys =
    "$argon2id$v=19$m=19456,t=2,p=1$HNuwxsjLvX++n1DcCovpBw$H1e5nhm3UypkPqg93M1HELVH5UgNySS+czZCAbPE1SI";

std::string hash_of(const std::string& password) {
  char out[crypto_pwhash_STRBYTES];
  if (crypto_pwhash_str_alg(out, password.data(), password.size(), kPasses, kMemory, crypto_pwhash_ALG_ARGON2ID13) != 0)
    throw std::runtime_error("there is no memory to hash a password");
  return out;
}

}  // namespace

// Written by the worker thread, then read by the loop. Keeps its slot even if its caller has been cancelled.
struct Passwords::Job {
  explicit Job(Slot place_) : place(std::move(place_)) {}
  Slot place;
  std::function<void()> work;
  std::exception_ptr broken;
  async::Event done;
};

// More slots than threads, as a slot is also held during queries, and a network may get only half of them.
Passwords::Passwords(asio::io_context& context, Limits limits)
    : context_(context),
      strangers_(
          std::make_shared<http::Admission>(context, kPlacesAThread * limits.threads, limits.waiting, limits.wait)),
      known_(std::make_shared<http::Admission>(context, kPlacesAThread * limits.threads, limits.waiting, limits.wait)),
      threads_(limits.threads) {}

Passwords::~Passwords() {
  threads_.stop();
  threads_.join();
}

awaitable<Passwords::Slot> Passwords::enter(std::string address, Caller caller) {
  const auto owner = http::Admission::owner_of(http::site_of(address));
  const auto places = caller == Caller::known ? known_ : strangers_;
  const bool entered = co_await places->enter(owner);
  if (!entered)
    throw http::Problem(  // not our failure: who signs in has no credential yet
        {.status = 429, .detail = "too many sign in at this moment: try again", .head = "Retry-After: 1\r\n"});
  co_return std::make_shared<http::Admitted>(places, owner);
}

http::Admission::Stats Passwords::stats(Caller caller) const {
  return (caller == Caller::known ? known_ : strangers_)->stats();
}

awaitable<void> Passwords::run(std::shared_ptr<Job> job) {
  // The last reference is released on the loop, to which the event belongs.
  asio::post(threads_, [job, loop = context_.get_executor()]() mutable {
    try {
      job->work();
    } catch (...) {
      job->broken = std::current_exception();
    }
    asio::post(loop, [job = std::move(job)] {
      job->place.reset();
      job->done.set();
    });
  });
  co_await job->done.wait();
  if (job->broken) std::rethrow_exception(job->broken);
}

awaitable<std::string> Passwords::hash(Slot place, std::string password) {
  auto made = std::make_shared<std::string>();
  auto job = std::make_shared<Job>(std::move(place));
  job->work = [made, password = std::move(password)] { *made = hash_of(password); };
  co_await run(std::move(job));
  co_return std::move(*made);
}

awaitable<bool> Passwords::verify(Slot place, std::optional<std::string> stored, std::string password) {
  auto same = std::make_shared<bool>(false);
  auto job = std::make_shared<Job>(std::move(place));
  job->work = [same, is_known = stored.has_value(), hash = stored.value_or(kNobodys), password = std::move(password)] {
    const bool matches = crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0;
    *same = matches && is_known;
  };
  co_await run(std::move(job));
  co_return *same;
}

void check_email(http::Faults& faults, std::string_view pointer, std::string_view email) {
  faults.check_text(pointer, email, 3, kMaxEmailLength);
  const auto at = email.rfind('@');
  const bool spaced = std::any_of(email.begin(), email.end(), [](char c) { return (c >= 0 && c <= ' ') || c == 127; });
  if (at == email.npos || at == 0 || at + 1 == email.size() || spaced)
    faults.add(std::string(pointer), "must be an e-mail address");
}

void check_new_password(http::Faults& faults, std::string_view pointer, std::string_view password) {
  faults.check_text(pointer, password, kMinLength, kMaxLength);
}

void check_password(http::Faults& faults, std::string_view pointer, std::string_view password) {
  faults.check_text(pointer, password, 0, kMaxLength);
}

}  // namespace parley::organizations::users
