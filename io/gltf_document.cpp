#include "io/gltf_document.h"

#include "io/read_file.h"

#include <algorithm>

namespace bristle::io::gltf {
namespace {

std::string decoded_base64(std::string_view text, const Element& uri) {
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const int value = c >= 'A' && c <= 'Z' ? c - 'A'
                        : c >= 'a' && c <= 'z' ? c - 'a' + 26
                        : c >= '0' && c <= '9' ? c - '0' + 52
                        : c == '+'             ? 62
                        : c == '/'             ? 63
                                               : -1;
        if (value < 0) uri.fail("a character that is not base64");
        bits = bits << 6 | static_cast<uint32_t>(value);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xff);
    }
    return bytes;
}

// It quotes all that was read of a text that does not end.
std::string_view shortened(std::string_view what) { return what.substr(0, 200); }

}  // namespace

Container open_container(std::string_view bytes, const std::string& name) {
    if (bytes.substr(0, 4) != "glTF") return {bytes, std::nullopt, 0};
    const auto fail = [&](size_t at, const std::string& what) {
        throw InputError(fmt::format("{}: byte {}: {}", name, at, what));
    };
    if (bytes.size() < 20)
        fail(bytes.size(), "the file ends, expected the 20 bytes of a GLB header");
    if (const auto version = number_at<uint32_t>(bytes, 4); version != 2)
        fail(4, fmt::format("version {}, expected 2", version));
    if (const auto length = number_at<uint32_t>(bytes, 8); length > bytes.size())
        fail(8, fmt::format("{} bytes announced, but the file has {}", length, bytes.size()));
    Container container;
    constexpr uint32_t json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;
    for (size_t at = 12; at + 8 <= bytes.size();) {
        const size_t length = number_at<uint32_t>(bytes, at), start = at + 8;
        const auto kind = number_at<uint32_t>(bytes, at + 4);
        if (length > bytes.size() - start)
            fail(at, fmt::format("a chunk of {} bytes, but only {} are left", length,
                                 bytes.size() - start));
        if (at == 12 && kind != json_chunk) fail(at + 4, "expected the chunk of JSON first");
        if (at == 12) {
            container.json = bytes.substr(start, length);
            container.json_start = start;
        } else if (kind == binary_chunk && !container.binary) {
            container.binary = bytes.substr(start, length);
        }
        at = start + length;
    }
    return container;
}

Json parse(const Container& container, const std::string& name) {
    try {
        return Json::parse(container.json.begin(), container.json.end());
    } catch (const Json::parse_error& error) {
        const std::string_view before = container.json.substr(0, error.byte);
        throw InputError(fmt::format("{}:{}: byte {}: not JSON, expected a glTF document ({})",
                                     name, 1 + std::count(before.begin(), before.end(), '\n'),
                                     container.json_start + error.byte, shortened(error.what())));
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: not JSON, expected a glTF document ({})", name,
                                     shortened(error.what())));
    }
}

std::string without_percents(const std::string& uri) {
    const auto digit = [&](size_t i) {
        const auto c = i < uri.size() ? static_cast<unsigned char>(uri[i]) : 0;
        return c >= '0' && c <= '9'               ? c - '0'
             : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                  : -1;
    };
    std::string text;
    for (size_t i = 0; i < uri.size(); ++i) {
        if (uri[i] == '%' && digit(i + 1) >= 0 && digit(i + 2) >= 0) {
            text += static_cast<char>(16 * digit(i + 1) + digit(i + 2));
            i += 2;
        } else {
            text += uri[i];
        }
    }
    return text;
}

std::string bytes_of_uri(const Element& uri, const std::filesystem::path& folder,
                         std::vector<std::filesystem::path>& used) {
    const std::string& text = uri.text();
    if (text.rfind("data:", 0) == 0) {
        const size_t comma = text.find(',');
        if (comma == std::string::npos
            || text.substr(0, comma).find(";base64") == std::string::npos)
            uri.fail("data that is not base64, expected \"data:...;base64,...\"");
        return decoded_base64(std::string_view(text).substr(comma + 1), uri);
    }
    const std::filesystem::path path = without_percents(text);
    if (text.find(':') != std::string::npos || path.is_absolute()
        || path.native().find('\0') != std::string::npos || !lies_in(folder / path, folder))
        uri.fail("expected a file beside this one or in a folder below, or base64 data");
    try {
        std::string bytes = read_file(folder / path, largest_mesh_file);
        used.push_back(folder / path);
        return bytes;
    } catch (const InputError& error) {
        uri.fail(error.what());
    }
}

}  // namespace bristle::io::gltf
