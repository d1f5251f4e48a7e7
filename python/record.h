// Plain structs as Python classes, from a table of their fields.
//
//     Record<Gear>(m, "Gear", "coordinate(second) = ratio * coordinate(first).")
//         .needs("first", &Gear::first, "the joint that leads")
//         .field("ratio", &Gear::ratio, "turns of the second per turn of the first")
//         .constructible();
//
// The table gives the constructor with keywords, the attributes, the docstring and the stubs (by the
// attribute __fields__), so that they cannot disagree. A wrong argument is told by its name. Arrays and lists
// read from an attribute are copies and cannot be changed: assigning into one would silently do nothing.
#pragma once

#include "python/casters.h"

#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bristle::python {

py::object frozen(py::object value);
std::string default_text(py::handle value);
[[noreturn]] void refuse(const std::string& what, const std::string& expected, py::handle value);
// Which of the fields each argument is for; throws TypeError for what does not belong or is missing.
std::vector<py::object> sort_arguments(const std::string& type,
                                       const std::vector<std::string>& names,
                                       const std::vector<bool>& needed, const py::args& positional,
                                       const py::kwargs& keywords);
std::string record_doc(const std::string& name, const std::string& about, const py::list& fields,
                       bool constructible);

template <class Value> struct PythonType {
    static std::string name() {
        return py::type::of<Value>().attr("__name__").template cast<std::string>();
    }
};
template <> struct PythonType<double> {
    static std::string name() { return "float"; }
};
template <> struct PythonType<bool> {
    static std::string name() { return "bool"; }
};
template <> struct PythonType<int> {
    static std::string name() { return "int"; }
};
template <> struct PythonType<uint32_t> {
    static std::string name() { return "int"; }
};
template <> struct PythonType<uint64_t> {
    static std::string name() { return "int"; }
};
template <> struct PythonType<std::string> {
    static std::string name() { return "str"; }
};
template <> struct PythonType<std::complex<double>> {
    static std::string name() { return "complex"; }
};
template <> struct PythonType<Vec3> {
    static std::string name() { return "Vec3"; }
};
template <> struct PythonType<Quat> {
    static std::string name() { return "Quat"; }
};
template <> struct PythonType<Mat3> {
    static std::string name() { return "Mat3"; }
};
template <> struct PythonType<std::vector<Vec3>> {
    static std::string name() { return "Points"; }
};
template <> struct PythonType<std::array<Vec3, 2>> {
    static std::string name() { return "Sequence[Vec3]"; }
};
template <> struct PythonType<std::vector<std::array<uint32_t, 3>>> {
    static std::string name() { return "Triangles"; }
};
template <> struct PythonType<Geometry> {
    static std::string name() { return "Geometry"; }
};
template <> struct PythonType<TimeFunction> {
    static std::string name() { return "TimeFunction | None"; }
};
template <> struct PythonType<ForceLaw> {
    static std::string name() { return "ForceLaw | None"; }
};
template <> struct PythonType<decltype(UserForce::apply)> {
    static std::string name() { return "ForceFunction"; }
};
template <class Value> struct PythonType<std::optional<Value>> {
    static std::string name() { return PythonType<Value>::name() + " | None"; }
};
template <class Value> struct PythonType<std::vector<Value>> {
    static std::string name() { return "Sequence[" + PythonType<Value>::name() + "]"; }
};
template <class Value> struct PythonType<std::shared_ptr<const Value>> {
    static std::string name() { return PythonType<Value>::name(); }
};

template <class T, class... Options> class Record {
  public:
    Record(py::handle scope, const char* name, const char* about)
        : class_(scope, name), name_(name), about_(about) {}

    template <class Value> Record& field(const char* name, Value T::*member, const char* about) {
        return add(name, member, about, false);
    }
    // The same, without a default.
    template <class Value> Record& needs(const char* name, Value T::*member, const char* about) {
        return add(name, member, about, true);
    }

    // An enumeration that belongs to the struct.
    template <class Values> py::enum_<Values> enumeration(const char* name, const char* about) {
        return py::enum_<Values>(class_, name, about);
    }
    py::handle scope() const { return class_; }

    py::class_<T, Options...>& constructible() {
        auto table = std::make_shared<Table>(table_);
        class_.def(py::init([table](const py::args& positional, const py::kwargs& keywords) {
            T made{};
            const auto values =
                sort_arguments(table->type, table->names, table->needed, positional, keywords);
            for (size_t i = 0; i < values.size(); ++i)
                if (values[i]) table->set[i](made, values[i]);
            return made;
        }));
        for (size_t i = 0; i < table_.names.size(); ++i)
            class_.def_property(
                table_.names[i].c_str(), [get = table_.get[i]](const T& self) { return get(self); },
                [set = table_.set[i]](T& self, const py::object& value) { set(self, value); },
                table_.abouts[i].c_str());
        class_.def("__copy__", [](const T& self) { return T(self); });
        return finish(true);
    }
    // What functions return: to look at only.
    py::class_<T, Options...>& result() {
        for (size_t i = 0; i < table_.names.size(); ++i)
            class_.def_property_readonly(
                table_.names[i].c_str(), [get = table_.get[i]](const T& self) { return get(self); },
                table_.abouts[i].c_str());
        return finish(false);
    }

  private:
    struct Table {
        std::string type;
        std::vector<std::string> names, abouts;
        std::vector<bool> needed;
        std::vector<std::function<py::object(const T&)>> get;
        std::vector<std::function<void(T&, const py::object&)>> set;
    };

    template <class Value>
    Record& add(const char* name, Value T::*member, const char* about, bool needed) {
        table_.type = name_;
        table_.names.emplace_back(name);
        table_.abouts.emplace_back(about);
        table_.needed.push_back(needed);
        table_.get.push_back([member](const T& self) { return frozen(py::cast(self.*member)); });
        const std::string type = PythonType<Value>::name();
        table_.set.push_back(
            [member, type, what = name_ + "." + name](T& self, const py::object& value) {
                py::detail::make_caster<Value> caster;
                bool good = false;
                try {
                    good = caster.load(value, true);
                } catch (const InputError& e) {
                    throw InputError(what + ": " + e.what());
                }
                if (!good) refuse(what, type, value);
                self.*member = py::detail::cast_op<Value>(std::move(caster));
            });
        const py::object standard = needed ? py::none() : py::cast(T{}.*member);
        fields_.append(py::make_tuple(name, type, needed ? "" : default_text(standard), about));
        return *this;
    }

    py::class_<T, Options...>& finish(bool constructible) {
        class_.attr("__fields__") = py::tuple(fields_);
        class_.attr("__doc__") = record_doc(name_, about_, fields_, constructible);
        class_.def(
            "__repr__",
            [name = name_, table = table_](const T& self) {
                std::string text = name + "(";
                for (size_t i = 0; i < table.names.size(); ++i)
                    text +=
                        (i ? ", " : "") + table.names[i] + "=" + default_text(table.get[i](self));
                return text + ")";
            },
            "All of its fields.");
        return class_;
    }

    py::class_<T, Options...> class_;
    std::string name_, about_;
    Table table_;
    py::list fields_;
};

}  // namespace bristle::python
