#pragma once
// Authorities and certificates that tests make themselves.

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <filesystem>
#include <string>

namespace parley::support {

// A key and a certificate for it.
struct Certificate {
  EVP_PKEY* key = nullptr;
  X509* certificate = nullptr;

  // Signed by `issuer`, or by itself, which makes it an authority. `names` as in subjectAltName; `days` until it
  // expires.
  Certificate(const std::string& common_name, const Certificate* issuer, const std::string& names, int days = 1);
  ~Certificate();
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

 private:
  void extend(int kind, const std::string& value);
};

// A certificate and its key in PEM, gone with the object. Everybody may read them, as servers run as somebody else; or
// only whoever `like` belongs to, as PostgreSQL wants it.
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
