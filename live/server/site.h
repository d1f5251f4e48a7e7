// What the server says to plain HTTP: the files of the page and two small questions. Without sockets.
//
// All files are read at the start, so a request can only name what is there: no path leads out of the folder.
#pragma once

#include "live/hub/hub.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bristle::live {

struct Request {
    std::string_view method, target, accepted_encodings, authorization, known_tag;
};
struct Answer {
    unsigned status = 200;
    std::vector<std::pair<const char*, std::string>> headers;
    std::shared_ptr<const std::string> body;
};
// With the headers that every answer has.
Answer text_answer(unsigned status, const std::string& text);

// Who may show the page inside another: nobody, or pages that are served from this machine (a notebook).
enum class Frames : uint8_t { refused, of_this_machine };

class Site {
  public:
    static constexpr size_t most_bytes = 64u << 20;

    // Reads the folder; throws InputError if it has no index.html, or is no page but something huge.
    explicit Site(const std::filesystem::path& folder, Frames = Frames::refused);

    Answer answer(const Request&, const Hub&) const;

  private:
    struct File {
        std::string type, tag;
        bool has_hashed_name = false;
        std::shared_ptr<const std::string> bytes, gzipped;  // gzipped: none
    };
    Answer answer(const File&, const Request&) const;

    Frames frames_;
    std::map<std::string, File, std::less<>> files_;  // by path, such as /assets/index.js
};

// Whether a request by plain HTTP names this machine: a page whose name was turned to our address (DNS rebinding) names
// another. Ports may differ, for they can be forwarded.
bool is_own_host(std::string_view host, std::string_view address);

// Whether a page from this origin may connect: it was loaded from the host it connects to, or it is no page
// (programs send no origin).
bool is_own_origin(std::string_view origin, std::string_view host);

}  // namespace bristle::live
