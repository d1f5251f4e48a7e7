// A certificate of this machine's own, for a server that is open to the network but has been given none.
//
// Nobody vouches for it: browsers warn once, and its fingerprint is told so that one can compare.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bristle::live {

struct Certificate {
    std::filesystem::path chain, key;  // PEM
};

// Names and addresses by which others may reach this machine.
std::vector<std::string> names_of_this_machine();

// The one in `folder` if it is good for these names and another month, or else a new one for a year; the key can
// only be read by its owner. Throws InputError if the folder cannot be written.
Certificate local_certificate(const std::filesystem::path& folder,
                              const std::vector<std::string>& names);

// $XDG_STATE_HOME/bristle, or ~/.local/state/bristle.
std::filesystem::path state_folder();

// SHA-256, as browsers show it: AB:CD:… Throws InputError if the file holds no certificate.
std::string fingerprint(const std::filesystem::path& chain);

}  // namespace bristle::live
