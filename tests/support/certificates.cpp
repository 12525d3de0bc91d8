#include "tests/support/certificates.hpp"

#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

namespace parley::support {

namespace fs = std::filesystem;

Certificate::Certificate(const std::string& common_name, const Certificate* issuer, const std::string& names, int days)
    : key(EVP_EC_gen("P-256")), certificate(X509_new()) {
  static long serial = 1;
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -2L * 86400);
  X509_gmtime_adj(X509_getm_notAfter(certificate), days * 86400L);
  X509_set_pubkey(certificate, key);
  auto* const name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(common_name.c_str()), -1,
                             -1, 0);
  X509_set_issuer_name(certificate, issuer ? X509_get_subject_name(issuer->certificate) : name);
  if (!issuer) extend(NID_basic_constraints, "critical,CA:TRUE");
  if (!names.empty()) extend(NID_subject_alt_name, names);
  X509_sign(certificate, issuer ? issuer->key : key, EVP_sha256());
}

Certificate::~Certificate() {
  X509_free(certificate);
  EVP_PKEY_free(key);
}

void Certificate::extend(int kind, const std::string& value) {
  auto* const extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

PemFiles::PemFiles(const Certificate& of, const fs::path& like) {
  char name[] = "/tmp/parley-pem.XXXXXX";
  if (!::mkdtemp(name)) throw std::runtime_error("no directory for certificates");
  directory_ = name;
  std::FILE* file = std::fopen(certificate().c_str(), "w");
  PEM_write_X509(file, of.certificate);
  std::fclose(file);
  file = std::fopen(key().c_str(), "w");
  PEM_write_PrivateKey(file, of.key, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
  fs::permissions(key(), fs::perms(like.empty() ? 0444 : 0400));
  fs::permissions(directory_, fs::perms(0755));
  struct stat owner{};
  if (like.empty() || ::stat(like.c_str(), &owner) != 0) return;
  for (const auto& path : {certificate(), key()})
    if (::chown(path.c_str(), owner.st_uid, owner.st_gid) != 0) throw std::runtime_error("cannot give away " + path);
}

PemFiles::~PemFiles() {
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

}  // namespace parley::support
