#include "live/server/site.h"

#include "base/hash.h"
#include "live/wire/json.h"
#include "live/wire/protocol.pb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>

namespace bristle::live {
namespace {

namespace fs = std::filesystem;

// Only our own files, nothing inline; what the page makes itself (pictures, videos, workers) is a blob.
constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self' data:; "
    "worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors ";

const char* ancestors(Frames frames) {
    return frames == Frames::refused ? "'none'"
                                     : "http://localhost:* https://localhost:* http://127.0.0.1:* "
                                       "https://127.0.0.1:*";
}

constexpr std::pair<const char*, const char*> types[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".webp", "image/webp"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".wasm", "application/wasm"},
    {".txt", "text/plain; charset=utf-8"},
    {".md", "text/plain; charset=utf-8"},
};

std::string type_of(const fs::path& file) {
    for (const auto& [ending, type] : types)
        if (file.extension() == ending) return type;
    return "application/octet-stream";
}

Answer with_common_headers(unsigned status, std::string type,
                           std::shared_ptr<const std::string> body,
                           Frames frames = Frames::refused) {
    return {status,
            {{"Content-Type", std::move(type)},
             {"X-Content-Type-Options", "nosniff"},
             {"Referrer-Policy", "no-referrer"},
             {"Cross-Origin-Opener-Policy", "same-origin"},
             {"Cross-Origin-Resource-Policy", "same-origin"},
             {"Content-Security-Policy", std::string(policy) + ancestors(frames)}},
            std::move(body)};
}

Answer json_answer(const std::string& json) {
    Answer answer = with_common_headers(200, "application/json",
                                        std::make_shared<const std::string>(json + "\n"));
    answer.headers.emplace_back("Cache-Control", "no-store");
    return answer;
}

std::string list_of(const std::vector<GalleryEntry>& entries) {
    wire::Gallery gallery;
    for (const GalleryEntry& entry : entries) {
        wire::GalleryEntry& scene = *gallery.add_scenes();
        scene.set_name(entry.name);
        scene.set_title(entry.title);
    }
    return to_json(gallery);
}

std::string tag_of(const std::string& bytes) {
    return fmt::format("\"{:016x}\"", hash_bytes(std::as_bytes(std::span(bytes))));
}

std::string_view bearer(std::string_view authorization) {
    constexpr std::string_view scheme = "Bearer ";
    return authorization.starts_with(scheme) ? authorization.substr(scheme.size())
                                             : std::string_view();
}

// "gzip;q=0" means: anything but that.
bool is_wanted(std::string_view item) {
    const size_t weight = item.find("q=");
    return weight == std::string_view::npos
        || item.find_first_of("123456789", weight) != std::string_view::npos;
}

bool is_listed(std::string_view list, std::string_view word) {
    for (size_t at = 0; at < list.size();) {
        const size_t comma = std::min(list.find(',', at), list.size());
        std::string_view item = list.substr(at, comma - at);
        item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
        if (item.substr(0, item.find_first_of("; ")) == word && is_wanted(item)) return true;
        at = comma + 1;
    }
    return false;
}

}  // namespace

Answer text_answer(unsigned status, const std::string& text) {
    Answer answer = with_common_headers(status, "text/plain; charset=utf-8",
                                        std::make_shared<const std::string>(text + "\n"));
    answer.headers.emplace_back("Cache-Control", "no-store");
    return answer;
}

Site::Site(const fs::path& folder, Frames frames) : frames_(frames) {
    if (!fs::is_regular_file(folder / "index.html"))
        throw InputError(fmt::format("the folder '{}' has no page (index.html)", folder.string()));
    size_t bytes = 0;
    for (auto at = fs::recursive_directory_iterator(folder);
         at != fs::recursive_directory_iterator(); ++at) {
        if (at->path().filename().string().starts_with('.')) {
            if (at->is_directory()) at.disable_recursion_pending();
            continue;
        }
        if (at->is_symlink() || !at->is_regular_file()) continue;
        bytes += at->file_size();
        if (bytes > most_bytes)
            throw InputError(fmt::format("the folder '{}' holds more than a page: over {} MB",
                                         folder.string(), most_bytes >> 20u));
        std::ifstream in(at->path(), std::ios::binary);
        auto content = std::make_shared<const std::string>(std::istreambuf_iterator<char>(in),
                                                           std::istreambuf_iterator<char>());
        const std::string name = "/" + fs::relative(at->path(), folder).generic_string();
        if (at->path().extension() == ".gz") {
            files_[name.substr(0, name.size() - 3)].gzipped = std::move(content);
            continue;
        }
        File& file = files_[name];
        file.type = type_of(at->path());
        file.tag = tag_of(*content);
        file.has_hashed_name = name.starts_with("/assets/");
        file.bytes = std::move(content);
    }
    std::erase_if(files_, [](const auto& entry) { return !entry.second.bytes; });
}

Answer Site::answer(const File& file, const Request& request) const {
    const bool is_known = is_listed(request.known_tag, file.tag);
    const bool is_gzipped = file.gzipped && is_listed(request.accepted_encodings, "gzip");
    Answer answer = with_common_headers(is_known ? 304 : 200, file.type,
                                        is_known     ? std::make_shared<const std::string>()
                                        : is_gzipped ? file.gzipped
                                                     : file.bytes,
                                        frames_);
    answer.headers.emplace_back(
        "Cache-Control", file.has_hashed_name ? "public, max-age=31536000, immutable" : "no-cache");
    answer.headers.emplace_back("ETag", file.tag);
    answer.headers.emplace_back("Vary", "Accept-Encoding");
    if (is_gzipped && !is_known) answer.headers.emplace_back("Content-Encoding", "gzip");
    return answer;
}

Answer Site::answer(const Request& request, const Hub& hub) const {
    if (request.method != "GET" && request.method != "HEAD") {
        Answer answer = text_answer(405, "only GET and HEAD");
        answer.headers.emplace_back("Allow", "GET, HEAD");
        return answer;
    }
    const std::string_view path = request.target.substr(0, request.target.find_first_of("?#"));
    if (path == "/api/health") return json_answer(R"({"ok":true})");
    if (path == "/api/scenes") {
        // The names are paths of this machine, and tell who works at what.
        if (hub.knows(bearer(request.authorization))) return json_answer(list_of(hub.entries()));
        Answer answer =
            text_answer(401, "the list is for those with a token: Authorization: Bearer …");
        answer.headers.emplace_back("WWW-Authenticate", "Bearer");
        return answer;
    }
    const auto found = files_.find(path == "/" ? "/index.html" : path);
    return found == files_.end() ? text_answer(404, "there is no such page")
                                 : answer(found->second, request);
}

bool is_own_host(std::string_view host, std::string_view address) {
    // Without the port; addresses of IPv6 stand in brackets.
    const size_t bracket = host.find(']');
    const size_t port = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
    std::string name(host.substr(0, port));
    if (name.size() > 1 && name.front() == '[' && name.back() == ']')
        name = name.substr(1, name.size() - 2);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name == "localhost" || name == "127.0.0.1" || name == "::1" || name == address;
}

bool is_own_origin(std::string_view origin, std::string_view host) {
    if (origin.empty()) return true;
    const size_t scheme = origin.find("://");
    if (scheme == std::string_view::npos || host.empty()) return false;
    const std::string_view from = origin.substr(scheme + 3);
    return from.size() == host.size()
        && std::equal(from.begin(), from.end(), host.begin(), [](char a, char b) {
               return std::tolower(static_cast<unsigned char>(a))
                   == std::tolower(static_cast<unsigned char>(b));
           });
}

}  // namespace bristle::live
