#include "live/devices/mapping.h"

#include <bristle/error.h>

#include "base/suggest.h"
#include "io/read_file.h"
#include "io/scene/document.h"
#include "io/scene/format_keys.h"
#include "io/scene/read_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>

namespace bristle::live {
namespace {

using io::Context;
using io::Kind;
using io::Node;
using io::Object;

const std::vector<std::string> page_devices = {"keyboard", "mouse", "gamepad"};

// ---- The format ------------------------------------------------------------------------------------

const io::Section& channels_section() {
    static const io::Section section = [] {
        using io::exactly_one, io::number, io::of, io::Section;
        Section s{"channels", "channel", Section::Form::named, "What is steered."};
        s.types = {
            {"",
             "",
             "{drive: boom cylinder, scale: 0.3 m/s}",
             {of(Kind::text, "drive", "whose target it is", "boom cylinder").optional(),
              of(Kind::text, "motor", "whose effort it is", "hoist").optional(),
              of(Kind::text, "input",
                 "of a force with a memory, force.input; or a drive of that name", "oil.boom")
                  .optional(),
              io::word("missing", {"mistake", "no_channel"},
                       "what it is where the scene has no such input"),
              number("scale", io::any_unit, "what full deflection adds to the center", "0.3 m/s")
                  .positive()
                  .optional(),
              number("center", io::any_unit, "where it rests", "0").optional(),
              number("deadband", "", "share of the deflection that counts as none", "0.05")
                  .or_else("0")
                  .between(0, 0.9),
              number("curve", "", "exponent of the deflection; above 1: finer near the center",
                     "1.5")
                  .or_else("1")
                  .between(0.1, 10),
              number("low", io::any_unit, "lower end", "-0.3 m/s").optional(),
              number("high", io::any_unit, "upper end", "0.3 m/s").optional(),
              of(Kind::text, "unit", "of numbers that programs send and the page shows", "mm/s")
                  .optional()},
             {exactly_one({"drive", "motor", "input"})}}};
        return s;
    }();
    return section;
}

const io::Section& devices_section() {
    static const io::Section section = [] {
        using io::exactly_one, io::Key, io::number, io::of, io::Section;
        const Key type = of(Kind::text, "type", "evdev, serial or udp", "udp");
        const Key controls =
            of(Kind::values, "controls", "which move which channel", "{lever: boom}").optional();
        const auto timeout = [](const char* fallback) {
            return io::unlimited(
                number("timeout", "s", "of silence, then its controls are let go", "0.5")
                    .positive(),
                fallback);
        };
        Section s{"devices", "device", Section::Form::named, "What moves the channels."};
        s.types = {
            {"evdev",
             "",
             "{type: evdev, name: Wheel, controls: {axis wheel: steering}}",
             {type, controls,
              of(Kind::text, "name", "part of the device's name", "Joystick").optional(),
              of(Kind::text, "path", "of the device", "/dev/input/event3").optional()},
             {exactly_one({"name", "path"})}},
            {"serial",
             "",
             "{type: serial, path: /dev/ttyUSB0, controls: {lever: boom}}",
             {type, controls, of(Kind::text, "path", "of the device", "/dev/ttyUSB0"),
              of(Kind::integer, "baud", "bits a second", "115200").or_else("115200").positive(),
              of(Kind::names, "columns", "of lines that are only values", "[lever, pedal]")
                  .optional(),
              timeout("unlimited")}},
            {"udp",
             "",
             "{type: udp, port: 9000}",
             {type, controls, of(Kind::integer, "port", "to listen on", "9000").between(1, 65535),
              of(Kind::text, "address", "to listen on", "0.0.0.0").or_else("127.0.0.1"),
              of(Kind::text, "token", "a word that every datagram must have", "open sesame")
                  .optional(),
              timeout("0.5")}}};
        return s;
    }();
    return section;
}

constexpr std::array<uint32_t, 13> bauds = {1200,   2400,   4800,   9600,   19200,  38400,  57600,
                                            115200, 230400, 460800, 500000, 921600, 1000000};

// ---- The reader ------------------------------------------------------------------------------------

class MappingReader {
  public:
    explicit MappingReader(const Model& model)
        : model_(model), context_{.mistakes = mistakes_, .scene = scene_} {}

    Mapping read(const std::string& text, const std::string& file) {
        const io::Document document = io::parse_document(text, mistakes_.add_file(file), mistakes_);
        if (document.root) read(*document.root);
        if (mistakes_.count() > 0) throw io::SceneError(mistakes_.sorted());
        return std::move(mapping_);
    }

  private:
    void read(const Node& root) {
        static const io::Type format{
            "",
            "",
            "{channels: {boom: {drive: boom cylinder}}, devices: {keyboard: {w: boom}}}",
            {io::in("channels", "what is steered", "{boom: {drive: boom cylinder}}"),
             io::in("devices", "what moves the channels", "{keyboard: {w: boom, s: -boom}}")}};
        if (root.kind != Node::Kind::map) {
            mistakes_.add(root.mark, fmt::format("the file is {}; expected channels and devices",
                                                 describe(root)));
            return;
        }
        const Object object(context_, root, format);
        if (const Node* node = object.find("channels"))
            read_named(
                context_, *node, channels_section(), channels_,
                [&](const Object& o, const std::string& name) { return read_channel(o, name); });
        else
            use_default_channels();
        if (const Node* node = object.find("devices")) read_devices(*node);
    }

    void use_default_channels() {
        mapping_ = default_channels(model_);
        for (size_t i = 0; i < mapping_.channels.size(); ++i)
            context_.define(channels_, mapping_.channels[i].name, {}, uint32_t(i));
    }

    // ---- Channels ----

    void unknown(const Node& node, const char* what, const std::vector<std::string>& choices) {
        const std::string near = suggestion(node.text, choices);
        const std::string expected = choices.empty()
                                       ? fmt::format("; no {} of the scene takes commands", what)
                                       : "; expected " + io::joined(choices, "or");
        mistakes_.add(node.mark, fmt::format("unknown {} '{}'{}", what, node.text.substr(0, 100),
                                             near.empty() ? expected : near));
    }

    // The object by its name, if it takes commands.
    template <typename Id>
    std::optional<ChannelSettings> find(const Object& o, const char* what, const char* function,
                                        size_t count, const std::function<bool(Id)>& is_one,
                                        const std::function<const std::string&(Id)>& name) {
        const std::string written = o.text(what);
        if (!o.is_good()) return {};
        std::vector<std::string> choices;
        for (uint32_t i = 0; i < count; ++i) {
            if (!is_one(Id{i})) continue;
            if (name(Id{i}) == written) {
                if (takes_commands(model_, Id{i})) return channel_of(model_, Id{i});
                mistakes_.add(
                    o.find(what)->mark,
                    fmt::format("{0} '{1}' follows a function of time; expected one without {2} "
                                "(leave it out in the scene)",
                                what, written, function));
                return {};
            }
            if (takes_commands(model_, Id{i})) choices.push_back(name(Id{i}));
        }
        unknown(*o.find(what), what, choices);
        return {};
    }

    // A hydraulic function that is guided is a drive of the same name: both are steered by the same file.
    std::optional<ChannelSettings> find_input(const Object& o) {
        const std::string written = o.text("input");
        if (!o.is_good()) return {};
        std::vector<std::string> choices;
        const auto taken = [&](bool is_free) -> bool {
            if (!is_free)
                mistakes_.add(o.find("input")->mark,
                              fmt::format("input '{}' follows a function of time; expected one "
                                          "without (leave it out in the scene)",
                                          written));
            return is_free;
        };
        for (const auto& [name, input] : inputs_of(model_)) {
            if (name == written)
                return taken(takes_commands(model_, input))
                         ? std::optional(channel_of(model_, input))
                         : std::nullopt;
            choices.push_back(name);
        }
        for (uint32_t i = 0; i < model_.drives().size(); ++i) {
            const DriveId drive{i};
            if (!model_.contains(drive)) continue;
            if (model_.drives()[i].name == written)
                return taken(takes_commands(model_, drive))
                         ? std::optional(channel_of(model_, drive))
                         : std::nullopt;
            if (takes_commands(model_, drive)) choices.push_back(model_.drives()[i].name);
        }
        if (o.word<int>("missing") == 1) return {};
        unknown(*o.find("input"), "input", choices);
        return {};
    }

    std::optional<uint32_t> read_channel(const Object& o, const std::string& name) {
        auto channel =
            o.has("input")   ? find_input(o)
            : o.has("drive") ? find<DriveId>(
                  o, "drive", "target", model_.drives().size(),
                  [&](DriveId id) { return model_.contains(id); },
                  [&](DriveId id) -> const std::string& { return model_.drives()[id.index].name; })
                             : find<ForceId>(
                                 o, "motor", "effort", model_.forces().size(),
                                 [&](ForceId id) { return is_motor(model_, id); },
                                 [&](ForceId id) -> const std::string& { return model_.name(id); });
        if (!channel) return {};
        channel->name = name;
        read_shape(o, *channel);
        if (!o.is_good()) return {};
        for (const ChannelSettings& other : mapping_.channels)
            if (other.target == channel->target)
                throw InputError(fmt::format(
                    "channel '{}' commands the same; expected one channel for it", other.name));
        mapping_.channels.push_back(*channel);
        return uint32_t(mapping_.channels.size() - 1);
    }

    void read_shape(const Object& o, ChannelSettings& channel) {
        channel.deadband = o.number("deadband");
        channel.curve = o.number("curve");
        read_unit(o, channel);
        const double center = o.has("center") ? o.number("center") : 0;
        if (o.has("scale")) {
            channel.low = center - o.number("scale");
            channel.high = center + o.number("scale");
        }
        if (o.has("low")) channel.low = o.number("low");
        if (o.has("high")) channel.high = o.number("high");
        if (!o.is_good()) return;
        if (channel.low >= channel.high)
            throw InputError(fmt::format("goes from {} to {}; expected low below high", channel.low,
                                         channel.high));
        if (o.has("center") && (center < channel.low || center > channel.high))
            throw InputError(fmt::format("rests at {}; expected a center from {} to {}", center,
                                         channel.low, channel.high));
        set_default_scale(model_, channel);
        if (o.has("center")) {
            channel.center = center;
            channel.scale = std::max(channel.high - center, center - channel.low);
        }
        if (o.has("scale")) channel.scale = o.number("scale");
    }

    void read_unit(const Object& o, ChannelSettings& channel) {
        if (!o.has("unit")) return;
        channel.unit = o.text("unit");
        try {
            channel.factor = io::Expression("1 " + channel.unit, {})();
        } catch (const io::ExpressionError& error) {
            mistakes_.add(o.find("unit")->mark, fmt::format("unit: {}", error.what()));
            return;
        }
        if (!(channel.factor > 0 && std::isfinite(channel.factor)))
            mistakes_.add(o.find("unit")->mark, fmt::format("unit is '{}'; expected for example {}",
                                                            channel.unit, "mm/s"));
    }

    // ---- Devices ----

    void read_devices(const Node& node) {
        if (node.kind != Node::Kind::map) {
            mistakes_.add(node.mark,
                          fmt::format("devices is {}; expected a map, {{keyboard: {{…}}, …}}",
                                      describe(node)));
            return;
        }
        for (const auto& [key, value] : node.entries) {
            if (value->kind != Node::Kind::map) {
                mistakes_.add(
                    value->mark,
                    fmt::format("device '{}' is {}; expected a map, {{control: channel, …}}",
                                key->text.substr(0, 100), describe(*value)));
                continue;
            }
            if (value->find("type"))
                read_native(*key, *value);
            else if (std::find(page_devices.begin(), page_devices.end(), key->text)
                     != page_devices.end())
                read_controls(key->text, *value);
            else
                mistakes_.add(key->mark, fmt::format("unknown device '{}'{}; expected keyboard, "
                                                     "mouse or gamepad, or a device of "
                                                     "your own with type: evdev, serial or udp",
                                                     key->text.substr(0, 100),
                                                     suggestion(key->text, page_devices)));
        }
    }

    void read_native(const Node& key, const Node& node) {
        const io::Type* const type = type_of(context_, node, devices_section());
        if (!type) return;
        const Object o(context_, node, *type);
        if (!o.is_good()) return;
        if (std::find(page_devices.begin(), page_devices.end(), key.text) != page_devices.end()) {
            mistakes_.add(
                key.mark,
                fmt::format(
                    "'{}' is the page's; expected another name for a device of this machine",
                    key.text));
            return;
        }
        DeviceSettings device{.name = key.text};
        if (type->name == "evdev")
            device.kind = EvdevSettings{.name = o.text("name"), .path = o.text("path")};
        if (type->name == "serial")
            device.kind = SerialSettings{.path = o.text("path"),
                                         .baud = read_baud(o),
                                         .columns = read_names(o.find("columns")),
                                         .timeout = o.number("timeout")};
        if (type->name == "udp")
            device.kind = UdpSettings{.address = o.text("address"),
                                      .port = uint16_t(o.integer("port")),
                                      .timeout = o.number("timeout"),
                                      .token = o.text("token")};
        mapping_.devices.push_back(device);
        if (const Node* controls = o.find("controls"))
            read_controls(key.text, *controls);
        else if (type->name == "evdev")
            mistakes_.add(node.mark,
                          "controls is missing; expected for example controls: {axis x: boom}");
        else
            for (size_t i = 0; i < mapping_.channels.size(); ++i)
                mapping_.bindings.push_back({.kind = Binding::Kind::value,
                                             .device = key.text,
                                             .control = mapping_.channels[i].name,
                                             .channel = i});
    }

    uint32_t read_baud(const Object& o) {
        const uint32_t baud = o.integer("baud");
        if (std::find(bauds.begin(), bauds.end(), baud) == bauds.end() && o.is_good())
            mistakes_.add(o.node().mark, fmt::format("baud is {}; expected one of {}", baud,
                                                     fmt::join(bauds, ", ")));
        return baud;
    }

    std::vector<std::string> read_names(const Node* node) {
        std::vector<std::string> names;
        if (!node) return names;
        if (node->kind == Node::Kind::scalar) return {node->text};
        for (const auto& item : node->entries)
            names.push_back(context_.text(*item.value, "columns").value_or(""));
        return names;
    }

    void read_controls(const std::string& device, const Node& node) {
        if (node.kind != Node::Kind::map) {
            mistakes_.add(node.mark,
                          fmt::format("controls is {}; expected a map, {{control: channel, …}}",
                                      describe(node)));
            return;
        }
        for (const auto& [key, value] : node.entries) {
            std::string control = key->text;
            if (device == "keyboard" && !control.starts_with("key ")) control.insert(0, "key ");
            if (value->kind == Node::Kind::list)
                for (const auto& item : value->entries) read_binding(device, control, *item.value);
            else
                read_binding(device, control, *value);
        }
    }

    // "boom", "-boom", "-0.5 boom"
    void read_binding(const std::string& device, const std::string& control, const Node& node) {
        if (node.kind != Node::Kind::scalar) {
            mistakes_.add(
                node.mark,
                fmt::format("'{}' is {}; expected a channel, as in boom, -boom or -0.5 boom",
                            control, describe(node)));
            return;
        }
        Binding binding{.device = device, .control = control};
        std::string channel = node.text;
        if (channels_.objects.find(channel) == channels_.objects.end()) {
            if (channel.starts_with('-')) {
                binding.gain = -1;
                channel.erase(0, 1);
            }
            if (const size_t blank = channel.find(' '); blank != std::string::npos) {
                Node number = node;
                number.text = channel.substr(0, blank);
                if (const auto gain = io::plain_number(number)) {
                    binding.gain *= *gain;
                    channel.erase(0, blank + 1);
                }
            }
        }
        Node name = node;
        name.text = channel;
        const auto index = find_channel(name);
        if (!index) return;
        binding.channel = *index;
        mapping_.bindings.push_back(binding);
    }

    std::optional<size_t> find_channel(const Node& name) {
        const auto found = channels_.objects.find(name.text);
        if (found != channels_.objects.end()) {
            // One without an id is a mistake that has been told, or a channel that this scene does not need.
            if (!found->second.id && mistakes_.count() > 0) mistakes_.follow();
            return found->second.id;
        }
        if (channels_.is_incomplete) {
            mistakes_.follow();
            return {};
        }
        std::vector<std::string> choices;
        for (const auto& [choice, object] : channels_.objects) choices.push_back(choice);
        unknown(name, "channel", choices);
        return {};
    }

    const Model& model_;
    io::Mistakes mistakes_;
    io::Scene scene_;
    Context context_;
    io::Names channels_{"channel"};
    Mapping mapping_;
};

}  // namespace

Mapping read_mapping(const Model& model, const std::filesystem::path& file) {
    try {
        return parse_mapping(model, io::read_file(file, io::largest_document), file.string());
    } catch (const io::SceneError&) {
        throw;
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}; expected a mapping of inputs in YAML", error.what()));
    }
}

Mapping parse_mapping(const Model& model, const std::string& text, const std::string& file) {
    return MappingReader(model).read(text, file);
}

}  // namespace bristle::live
