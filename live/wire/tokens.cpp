#include "live/wire/tokens.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <array>
#include <stdexcept>

namespace bristle::live {

std::string random_token() {
    std::array<unsigned char, 16> bytes{};
    if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
        throw std::runtime_error("this machine has no random numbers for a token");
    std::string token;
    for (const unsigned char byte : bytes) {
        token += "0123456789abcdef"[byte >> 4u];
        token += "0123456789abcdef"[byte & 15u];
    }
    return token;
}

bool is_same_token(std::string_view given, std::string_view expected) {
    return !expected.empty() && given.size() == expected.size()
        && CRYPTO_memcmp(given.data(), expected.data(), expected.size()) == 0;
}

}  // namespace bristle::live
