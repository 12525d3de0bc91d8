#pragma once

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <filesystem>
#include <string>

namespace parley::support {

struct Certificate {
  EVP_PKEY* key = nullptr;
  X509* certificate = nullptr;

  // Signed by `issuer`; null makes a self-signed authority. `names` as in subjectAltName; `days`: validity.
  Certificate(const std::string& common_name, const Certificate* issuer, const std::string& names, int days = 1);
  ~Certificate();
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

 private:
  void extend(int kind, const std::string& value);
};

// PEM files for the life of the object, readable by all users, or only by the owner of `like`, as PostgreSQL requires.
class PemFiles {
 public:
  explicit PemFiles(const Certificate& of, const std::filesystem::path& like = {});
  ~PemFiles();
  PemFiles(const PemFiles&) = delete;
  PemFiles& operator=(const PemFiles&) = delete;

  std::string certificate() const { return (directory_ / "certificate.pem").string(); }
  std::string key() const { return (directory_ / "key.pem").string(); }

 private:
  std::filesystem::path directory_;
};

}  // namespace parley::support
