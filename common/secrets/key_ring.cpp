#include "common/secrets/key_ring.hpp"

#include <sodium.h>

#include <algorithm>
#include <stdexcept>

#include "common/identity/keys.hpp"

namespace parley::secrets {

namespace {

constexpr std::size_t kNonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kTag = crypto_aead_xchacha20poly1305_ietf_ABYTES;
constexpr std::size_t kMaxIdLength = 32;
static_assert(crypto_aead_xchacha20poly1305_ietf_KEYBYTES == 32);

bool is_key_id(std::string_view id) {
  return !id.empty() && id.size() <= kMaxIdLength &&
         id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == id.npos;
}

// The additional data that binds a box to its organization and field.
std::string binding(const model::Uuid& organization, std::string_view field) {
  return organization.text().append("/").append(field);
}

const unsigned char* octets(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }
unsigned char* octets(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace

KeyRing::KeyRing(std::string_view text) {
  while (!text.empty()) {
    const auto comma = text.find(',');
    const auto entry = text.substr(0, comma);
    text = comma == text.npos ? std::string_view{} : text.substr(comma + 1);
    const auto colon = entry.find(':');
    const auto id = entry.substr(0, colon);
    if (colon == entry.npos || !is_key_id(id))
      throw std::invalid_argument("must be ID:BASE64, several with commas between");
    const auto key = identity::key_from_base64(entry.substr(colon + 1));
    if (!key) throw std::invalid_argument("the key " + std::string(id) + " is not the base64 of 32 octets");
    if (std::any_of(keys_.begin(), keys_.end(), [&](const Key& other) { return other.id == id; }))
      throw std::invalid_argument("the key " + std::string(id) + " is there twice");
    keys_.push_back({std::string(id), *key});
  }
  if (keys_.empty()) throw std::invalid_argument("holds no key");
}

KeyRing::~KeyRing() {
  for (auto& key : keys_) sodium_memzero(key.octets.data(), key.octets.size());
}

std::string KeyRing::seal(const model::Uuid& organization, std::string_view field, std::string_view secret) const {
  const auto bound_to = binding(organization, field);
  std::string box(kNonce + secret.size() + kTag, '\0');
  randombytes_buf(box.data(), kNonce);
  crypto_aead_xchacha20poly1305_ietf_encrypt(octets(box) + kNonce, nullptr, octets(secret), secret.size(),
                                             octets(bound_to), bound_to.size(), nullptr, octets(box),
                                             keys_.front().octets.data());
  return keys_.front().id + "." + identity::to_base64url(box);
}

std::string KeyRing::open(const model::Uuid& organization, std::string_view field, std::string_view sealed) const {
  const auto dot = sealed.find('.');
  const auto id = sealed.substr(0, dot);
  const auto key = std::find_if(keys_.begin(), keys_.end(), [&](const Key& candidate) { return candidate.id == id; });
  if (dot == sealed.npos || key == keys_.end())
    throw std::runtime_error("the stored " + std::string(field) +
                             " was sealed with a key that PARLEY_ENCRYPTION_KEYS does not hold");
  const auto box = identity::from_base64url(sealed.substr(dot + 1));
  const auto bound_to = binding(organization, field);
  if (box && box->size() >= kNonce + kTag) {
    std::string secret(box->size() - kNonce - kTag, '\0');
    const int failed = crypto_aead_xchacha20poly1305_ietf_decrypt(
        octets(secret), nullptr, nullptr, octets(*box) + kNonce, box->size() - kNonce, octets(bound_to),
        bound_to.size(), octets(*box), key->octets.data());
    if (!failed) return secret;
  }
  throw std::runtime_error("the stored " + std::string(field) + " does not open: it was altered, or is another row's");
}

std::string mask(std::string_view secret) {
  constexpr std::size_t kShown = 4;
  std::string out = "****";
  if (secret.size() >= 4 * kShown) out += secret.substr(secret.size() - kShown);
  return out;
}

}  // namespace parley::secrets
