// How the table of the format is written: short ways to make keys and rules, and its parts.
#pragma once

#include "io/scene/format.h"

#include <string>
#include <utility>
#include <vector>

namespace bristle::io {

using Keys = std::vector<Key>;

inline Key number(std::string name, std::string unit, std::string about, std::string example) {
    return {std::move(name), Kind::number, std::move(unit), std::move(about), std::move(example)};
}
inline Key vector(std::string name, std::string unit, std::string about, std::string example) {
    return {std::move(name), Kind::vector, std::move(unit), std::move(about), std::move(example)};
}
inline Key of(Kind kind, std::string name, std::string about, std::string example) {
    return {std::move(name), kind, "", std::move(about), std::move(example)};
}
inline Key word(std::string name, std::vector<std::string> words, std::string about) {
    Key key{std::move(name), Kind::word, "", std::move(about), words.back()};
    key.words = std::move(words);
    key.fallback = key.words.front();
    return key;
}
inline Key in(std::string section, std::string about, std::string example) {
    Key key{section, Kind::section, "", std::move(about), std::move(example)};
    key.section = std::move(section);
    key.fallback = "";
    return key;
}
inline Key unlimited(Key key, std::string fallback) {
    key.may_be_unlimited = true;
    key.fallback = std::move(fallback);
    return key;
}

inline Keys operator+(Keys a, const Keys& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

inline Rule exactly_one(std::vector<std::string> keys) {
    return {Rule::Kind::exactly_one, std::move(keys)};
}
inline Rule at_least_one(std::vector<std::string> keys) {
    return {Rule::Kind::at_least_one, std::move(keys)};
}
inline Rule at_most_one(std::vector<std::string> keys) {
    return {Rule::Kind::at_most_one, std::move(keys)};
}
inline Rule together(std::vector<std::string> keys) {
    return {Rule::Kind::together, std::move(keys)};
}

Section bodies_format();
Section shapes_format();
Section visuals_format();
Section parts_format();
Section materials_format();
Section contact_pairs_format();
Section no_contact_format();
Section joints_format();
Section drives_format();
Section limits_format();
Section rotors_format();
Section forces_format();
// Of parts of machines, which are types of force: what is inside them.
std::vector<Section> machine_sections();
std::vector<Type> machine_types();
// earth, and what is inside it.
std::vector<Section> earth_sections();

}  // namespace bristle::io
