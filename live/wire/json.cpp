#include "live/wire/json.h"

#include <bristle/error.h>

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <stdexcept>

namespace bristle::live {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using Json = nlohmann::json;

constexpr size_t longest_name = 40;  // bytes of a name that nobody knows, in an error

[[noreturn]] void fail_type(const FieldDescriptor& field) {
    throw std::logic_error(
        fmt::format("{}: no message that is text has fields of this type", field.full_name()));
}

// ---- Reading -------------------------------------------------------------------------------------------

Json parse(std::string_view text) {
    const auto not_too_deep = [](int depth, Json::parse_event_t, Json&) {
        if (depth > most_depth)
            throw InputError(fmt::format("the message is nested deeper than {}", most_depth));
        return true;
    };
    Json message;
    try {
        message = Json::parse(text, not_too_deep);
    } catch (const Json::exception& error) {
        // It may quote all of the message.
        throw InputError(
            fmt::format("the message is no JSON: {}", std::string(error.what()).substr(0, 200)));
    }
    if (!message.is_object()) throw InputError("a message is one JSON object");
    return message;
}

std::string names_in(const Descriptor& type) {
    std::string names;
    for (int i = 0; i < type.field_count(); ++i)
        names += (i == 0 ? "" : ", ") + type.field(i)->name();
    return names.empty() ? "nothing" : names;
}

std::string names_in(const EnumDescriptor& type) {
    std::string names;
    for (int i = 0; i < type.value_count(); ++i)
        names += (i == 0 ? "" : i + 1 < type.value_count() ? ", " : " or ") + type.value(i)->name();
    return names;
}

bool must_be_there(const FieldDescriptor& field) {
    return !field.is_repeated() && !field.has_optional_keyword()
        && field.real_containing_oneof() == nullptr;
}

// A value, and what errors call it: grab: 'at[1]'
struct Value {
    const Json& json;
    std::string name;
    [[noreturn]] void must_be(const std::string& what) const {
        throw InputError(fmt::format("{} must be {}", name, what));
    }
};

double number_in(const Value& value) {
    if (!value.json.is_number()) value.must_be("a number");
    return value.json.get<double>();
}
uint32_t whole_in(const Value& value) {
    constexpr uint64_t most = std::numeric_limits<uint32_t>::max();
    if (!value.json.is_number_unsigned() || value.json.get<uint64_t>() > most)
        value.must_be(fmt::format("a whole number from 0 to {}", most));
    return value.json.get<uint32_t>();
}
bool flag_in(const Value& value) {
    if (!value.json.is_boolean()) value.must_be("true or false");
    return value.json.get<bool>();
}
std::string text_in(const Value& value) {
    const auto* text = value.json.get_ptr<const std::string*>();
    if (text == nullptr || text->size() > longest_text)
        value.must_be(fmt::format("a text of at most {} bytes", longest_text));
    for (const char c : *text)
        if (static_cast<unsigned char>(c) < 0x20)
            value.must_be("a text without control characters");
    return *text;
}
int choice_in(const Value& value, const EnumDescriptor& type) {
    const auto* name = value.json.get_ptr<const std::string*>();
    const auto* found = name == nullptr ? nullptr : type.FindValueByName(*name);
    if (found == nullptr) value.must_be(names_in(type));
    return found->number();
}

void read_object(const Json& object, Message& message, const std::string& where);

// Sets a field, or adds to it if it is repeated.
class Putter {
  public:
    Putter(Message& message, const FieldDescriptor& field) : message_(message), field_(field) {}

    void put(const Value& value, const std::string& where) const {
        switch (field_.cpp_type()) {
            case FieldDescriptor::CPPTYPE_DOUBLE:
                return put(&Reflection::SetDouble, &Reflection::AddDouble, number_in(value));
            case FieldDescriptor::CPPTYPE_UINT32:
                return put(&Reflection::SetUInt32, &Reflection::AddUInt32, whole_in(value));
            case FieldDescriptor::CPPTYPE_BOOL:
                return put(&Reflection::SetBool, &Reflection::AddBool, flag_in(value));
            case FieldDescriptor::CPPTYPE_STRING:
                return put(&Reflection::SetString, &Reflection::AddString, text_in(value));
            case FieldDescriptor::CPPTYPE_ENUM:
                return put(&Reflection::SetEnumValue, &Reflection::AddEnumValue,
                           choice_in(value, *field_.enum_type()));
            case FieldDescriptor::CPPTYPE_MESSAGE: return put_object(value, where);
            default: fail_type(field_);
        }
    }
    // An entry of a map from texts to texts.
    void put_entry(const std::string& key, const Value& value) const {
        Message& entry = *message_.GetReflection()->AddMessage(&message_, &field_);
        const Descriptor& type = *entry.GetDescriptor();
        const Json name = key;
        Putter(entry, *type.map_key()).put({name, "a name in " + value.name}, {});
        Putter(entry, *type.map_value()).put(value, {});
    }

  private:
    template <class Set, class Add, class What> void put(Set set, Add add, What what) const {
        const Reflection* reflection = message_.GetReflection();
        if (field_.is_repeated())
            (reflection->*add)(&message_, &field_, std::move(what));
        else
            (reflection->*set)(&message_, &field_, std::move(what));
    }
    void put_object(const Value& value, const std::string& where) const {
        if (!value.json.is_object()) value.must_be("an object");
        const Reflection* reflection = message_.GetReflection();
        Message* part = field_.is_repeated() ? reflection->AddMessage(&message_, &field_)
                                             : reflection->MutableMessage(&message_, &field_);
        read_object(value.json, *part, fmt::format("{}{}: ", where, field_.name()));
    }

    Message& message_;
    const FieldDescriptor& field_;
};

void read_field(const Json& json, Message& message, const FieldDescriptor& field,
                const std::string& where) {
    const Putter putter(message, field);
    const Value value{json, fmt::format("{}'{}'", where, field.name())};
    if (field.is_map()) {
        if (!json.is_object()) value.must_be("an object");
        for (const auto& [key, item] : json.items())
            putter.put_entry(key, {item, fmt::format("{}'{}.{}'", where, field.name(),
                                                     key.substr(0, longest_name))});
    } else if (field.is_repeated()) {
        if (!json.is_array()) value.must_be("a list");
        for (size_t i = 0; i < json.size(); ++i)
            putter.put({json[i], fmt::format("{}'{}[{}]'", where, field.name(), i)}, where);
    } else {
        putter.put(value, where);
    }
}

void read_object(const Json& object, Message& message, const std::string& where) {
    const Descriptor& type = *message.GetDescriptor();
    const FieldDescriptor* missing = nullptr;
    for (int i = 0; i < type.field_count(); ++i) {
        const FieldDescriptor& field = *type.field(i);
        const auto found = object.find(field.name());
        if (found == object.end()) {
            if (missing == nullptr && must_be_there(field)) missing = &field;
            continue;
        }
        if (const auto* choice = field.real_containing_oneof()) {
            const Reflection& reflection = *message.GetReflection();
            if (reflection.HasOneof(message, choice))
                throw InputError(fmt::format(
                    "{}there are '{}' and '{}': one at a time", where,
                    reflection.GetOneofFieldDescriptor(message, choice)->name(), field.name()));
        }
        read_field(*found, message, field, where);
    }
    for (const auto& [key, value] : object.items())
        if (type.FindFieldByName(key) == nullptr)
            throw InputError(fmt::format("{}there is no '{}', but {}", where,
                                         key.substr(0, longest_name), names_in(type)));
    if (missing != nullptr)
        throw InputError(fmt::format("{}'{}' is missing", where, missing->name()));
}

// ---- Writing -------------------------------------------------------------------------------------------

Json object_of(const Message&);

// The field's value, or the one with the index.
Json value_of(const Message& m, const FieldDescriptor& f, int index) {
    const Reflection& r = *m.GetReflection();
    const bool is_one = !f.is_repeated();
    switch (f.cpp_type()) {
        case FieldDescriptor::CPPTYPE_DOUBLE:
            return is_one ? r.GetDouble(m, &f) : r.GetRepeatedDouble(m, &f, index);
        case FieldDescriptor::CPPTYPE_UINT32:
            return is_one ? r.GetUInt32(m, &f) : r.GetRepeatedUInt32(m, &f, index);
        case FieldDescriptor::CPPTYPE_UINT64:
            return is_one ? r.GetUInt64(m, &f) : r.GetRepeatedUInt64(m, &f, index);
        case FieldDescriptor::CPPTYPE_BOOL:
            return is_one ? r.GetBool(m, &f) : r.GetRepeatedBool(m, &f, index);
        case FieldDescriptor::CPPTYPE_STRING:
            return is_one ? r.GetString(m, &f) : r.GetRepeatedString(m, &f, index);
        case FieldDescriptor::CPPTYPE_ENUM:
            return (is_one ? r.GetEnum(m, &f) : r.GetRepeatedEnum(m, &f, index))->name();
        case FieldDescriptor::CPPTYPE_MESSAGE:
            return object_of(is_one ? r.GetMessage(m, &f) : r.GetRepeatedMessage(m, &f, index));
        default: fail_type(f);
    }
}

Json object_of(const Message& message) {
    const Descriptor& type = *message.GetDescriptor();
    const Reflection& reflection = *message.GetReflection();
    Json object = Json::object();
    for (int i = 0; i < type.field_count(); ++i) {
        const FieldDescriptor& field = *type.field(i);
        if (field.is_map()) {  // from texts
            Json& map = object[field.name()] = Json::object();
            for (int k = 0; k < reflection.FieldSize(message, &field); ++k) {
                const Json entry = object_of(reflection.GetRepeatedMessage(message, &field, k));
                map[entry["key"].get<std::string>()] = entry["value"];
            }
        } else if (field.is_repeated()) {
            Json& list = object[field.name()] = Json::array();
            for (int k = 0; k < reflection.FieldSize(message, &field); ++k)
                list.push_back(value_of(message, field, k));
        } else if (!field.has_presence() || reflection.HasField(message, &field)) {
            object[field.name()] = value_of(message, field, 0);
        }
    }
    return object;
}

}  // namespace

void read_json(std::string_view text, Message& message) {
    message.Clear();
    read_object(parse(text), message, {});
}

std::string to_json(const Message& message) {
    return object_of(message).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bristle::live
