// Words that nobody can guess, and comparing them without telling how far they agree.
#pragma once

#include <string>
#include <string_view>

namespace bristle::live {

// 128 random bits as text that needs no escaping in an address.
std::string random_token();

// Takes the same time wherever they differ. An empty token is the same as nothing.
bool is_same_token(std::string_view given, std::string_view expected);

}  // namespace bristle::live
