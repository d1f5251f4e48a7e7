#include "live/server/local_certificate.h"

#include <bristle/error.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

namespace bristle::live {
namespace {

namespace fs = std::filesystem;

struct Free {
    void operator()(X509* p) const { X509_free(p); }
    void operator()(EVP_PKEY* p) const { EVP_PKEY_free(p); }
    void operator()(BIO* p) const { BIO_free(p); }
    void operator()(X509_EXTENSION* p) const { X509_EXTENSION_free(p); }
};
template <class T> using Owned = std::unique_ptr<T, Free>;

constexpr long day = 24 * 3600;  // s

bool is_address(const std::string& name) {
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    return inet_pton(AF_INET, name.c_str(), bytes.data()) == 1
        || inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1;
}

Owned<X509> read_certificate(const fs::path& file) {
    const Owned<BIO> in(BIO_new_file(file.c_str(), "r"));
    return Owned<X509>(in ? PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr) : nullptr);
}

bool is_good(const Certificate& c, const std::vector<std::string>& names) {
    const Owned<X509> certificate = read_certificate(c.chain);
    if (!certificate || !fs::exists(c.key)) return false;
    time_t next_month = time(nullptr) + 30 * day;
    if (X509_cmp_time(X509_get0_notAfter(certificate.get()), &next_month) <= 0) return false;
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return is_address(name)
                 ? X509_check_ip_asc(certificate.get(), name.c_str(), 0) == 1
                 : X509_check_host(certificate.get(), name.c_str(), name.size(), 0, nullptr) == 1;
    });
}

void require(bool is_done) {
    if (!is_done) throw std::runtime_error("OpenSSL cannot make a certificate");
}

void extend(X509* certificate, int what, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
    const Owned<X509_EXTENSION> extension(
        X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str()));
    require(extension && X509_add_ext(certificate, extension.get(), -1) == 1);
}

Owned<X509> make_certificate(EVP_PKEY* key, const std::vector<std::string>& names) {
    Owned<X509> certificate(X509_new());
    require(certificate != nullptr);
    X509* c = certificate.get();
    uint64_t serial = 0;
    require(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1);
    require(X509_set_version(c, 2) == 1
            && ASN1_INTEGER_set_uint64(X509_get_serialNumber(c), serial >> 1u) == 1
            && X509_gmtime_adj(X509_getm_notBefore(c), -day) != nullptr
            && X509_gmtime_adj(X509_getm_notAfter(c), 365 * day) != nullptr
            && X509_set_pubkey(c, key) == 1);
    X509_NAME* subject = X509_get_subject_name(c);
    const auto* title = reinterpret_cast<const unsigned char*>("Bristle on this machine");
    require(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, title, -1, -1, 0) == 1
            && X509_set_issuer_name(c, subject) == 1);
    std::string list;
    for (const std::string& name : names)
        list +=
            fmt::format("{}{}:{}", list.empty() ? "" : ",", is_address(name) ? "IP" : "DNS", name);
    extend(c, NID_subject_alt_name, list);
    extend(c, NID_basic_constraints, "critical,CA:FALSE");
    extend(c, NID_key_usage, "critical,digitalSignature");
    extend(c, NID_ext_key_usage, "serverAuth");
    require(X509_sign(c, key, EVP_sha256()) != 0);
    return certificate;
}

template <class Write> std::string pem(const Write& write) {
    const Owned<BIO> memory(BIO_new(BIO_s_mem()));
    require(memory && write(memory.get()) == 1);
    char* text = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &text);
    return {text, static_cast<size_t>(size)};
}

// Whole or not at all, and never readable by others, not even for a moment.
void write_private(const fs::path& file, const std::string& text) {
    const fs::path unfinished = file.string() + ".new";
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    const int out = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool is_written =
        out >= 0 && ::write(out, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (out >= 0) ::close(out);
    std::error_code error;
    if (is_written) fs::rename(unfinished, file, error);
    if (!is_written || error)
        throw InputError(
            fmt::format("cannot write '{}': give --certificate and --key, or make "
                        "that folder writable",
                        file.string()));
}

}  // namespace

std::vector<std::string> names_of_this_machine() {
    std::vector<std::string> names;
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) == 0 && host[0] != 0)
        names.emplace_back(host.data());
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) == 0) {
        for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
            if (at->ifa_addr == nullptr || (at->ifa_flags & IFF_LOOPBACK) != 0
                || at->ifa_addr->sa_family != AF_INET)
                continue;
            std::array<char, INET_ADDRSTRLEN> text{};
            const auto* address = reinterpret_cast<const sockaddr_in*>(at->ifa_addr);
            if (inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size()) != nullptr)
                names.emplace_back(text.data());
        }
        freeifaddrs(list);
    }
    names.insert(names.end(), {"localhost", "127.0.0.1", "::1"});
    return names;
}

fs::path state_folder() {
    if (const char* own = std::getenv("XDG_STATE_HOME"); own != nullptr && *own == '/')
        return fs::path(own) / "bristle";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0)
        return fs::path(home) / ".local/state/bristle";
    throw InputError(
        "there is no place for a certificate ($HOME is not set): give --certificate and --key");
}

Certificate local_certificate(const fs::path& folder, const std::vector<std::string>& names) {
    Certificate certificate{folder / "certificate.pem", folder / "key.pem"};
    if (is_good(certificate, names)) return certificate;
    std::error_code error;
    fs::create_directories(folder, error);
    const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
    require(key != nullptr);
    const Owned<X509> made = make_certificate(key.get(), names);
    write_private(certificate.key, pem([&](BIO* out) {
                      return PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr,
                                                      nullptr);
                  }));
    write_private(certificate.chain,
                  pem([&](BIO* out) { return PEM_write_bio_X509(out, made.get()); }));
    return certificate;
}

std::string fingerprint(const fs::path& chain) {
    const Owned<X509> certificate = read_certificate(chain);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (!certificate || X509_digest(certificate.get(), EVP_sha256(), digest.data(), &size) != 1)
        throw InputError(fmt::format("'{}' holds no certificate in PEM", chain.string()));
    std::string text;
    for (unsigned i = 0; i < size; ++i)
        text += fmt::format("{}{:02X}", i == 0 ? "" : ":", digest[i]);
    return text;
}

}  // namespace bristle::live
