#include "python/record.h"

#include <algorithm>
#include <cmath>

namespace bristle::python {

py::object frozen(py::object value) {
    // The flag itself: setflags costs more than the array.
    if (py::isinstance<py::array>(value))
        py::detail::array_proxy(value.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    if (py::isinstance<py::list>(value)) return py::tuple(value);
    return value;
}

std::string default_text(py::handle value) {
    if (py::isinstance<py::array>(value))
        return py::repr(value.attr("tolist")()).cast<std::string>();
    if (PyFloat_Check(value.ptr()) && std::isinf(value.cast<double>()))
        return value.cast<double>() > 0 ? "unlimited" : "-unlimited";
    if (py::hasattr(py::type::of(value), "__members__")) return py::str(value).cast<std::string>();
    return py::repr(value).cast<std::string>();
}

void refuse(const std::string& what, const std::string& expected, py::handle value) {
    throw py::type_error(fmt::format("{}: expected {}, not {}", what, expected,
                                     py::repr(value).cast<std::string>()));
}

std::vector<py::object> sort_arguments(const std::string& type,
                                       const std::vector<std::string>& names,
                                       const std::vector<bool>& needed, const py::args& positional,
                                       const py::kwargs& keywords) {
    if (positional.size() > names.size())
        throw py::type_error(fmt::format("{} takes at most {} arguments ({}), not {}", type,
                                         names.size(), fmt::join(names, ", "), positional.size()));
    std::vector<py::object> values(names.size());
    for (size_t i = 0; i < positional.size(); ++i) values[i] = positional[i];
    for (const auto& [key, value] : keywords) {
        const auto name = key.cast<std::string>();
        const auto at = std::find(names.begin(), names.end(), name);
        if (at == names.end())
            throw py::type_error(
                fmt::format("{} has no '{}'; it has {}", type, name, fmt::join(names, ", ")));
        py::object& slot = values[size_t(at - names.begin())];
        if (slot) throw py::type_error(fmt::format("{}: '{}' is given twice", type, name));
        slot = py::reinterpret_borrow<py::object>(value);
    }
    for (size_t i = 0; i < names.size(); ++i)
        if (needed[i] && !values[i])
            throw py::type_error(fmt::format("{}: '{}' is missing", type, names[i]));
    return values;
}

std::string record_doc(const std::string& name, const std::string& about, const py::list& fields,
                       bool constructible) {
    std::string signature, table;
    for (const py::handle field : fields) {
        const auto [title, type, standard, text] =
            field.cast<std::tuple<std::string, std::string, std::string, std::string>>();
        signature +=
            (signature.empty() ? "" : ", ") + title + (standard.empty() ? "" : "=" + standard);
        table += fmt::format("\n    {} : {}\n        {}", title, type, text);
    }
    if (!constructible) return fmt::format("{}\n{}", about, table);
    return fmt::format("{}({})\n\n{}\n{}", name, signature, about, table);
}

}  // namespace bristle::python
