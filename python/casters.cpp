#include "python/casters.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace bristle::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

// A list of numbers without the detour over an array, for it is the common case.
bool read_list(py::handle source, double* out, size_t count) {
    if (!PyList_Check(source.ptr()) && !PyTuple_Check(source.ptr())) return false;
    if (static_cast<size_t>(PySequence_Fast_GET_SIZE(source.ptr())) != count) return false;
    PyObject** items = PySequence_Fast_ITEMS(source.ptr());
    for (size_t i = 0; i < count; ++i) {
        // Not of a class of the user's: it may have a __float__, and that may change the list.
        if (!PyFloat_CheckExact(items[i]) && !PyLong_CheckExact(items[i])) return false;
        out[i] = PyFloat_AsDouble(items[i]);
        if (out[i] == -1 && PyErr_Occurred()) throw py::error_already_set();
    }
    return true;
}

// An array of doubles likewise, whatever its strides.
bool read_array(py::handle source, double* out, size_t count) {
    if (!py::isinstance<py::array_t<double>>(source)) return false;
    const auto array = py::reinterpret_borrow<py::array_t<double>>(source);
    if (array.ndim() != 1 || array.shape(0) != py::ssize_t(count)) return false;
    const auto* first = reinterpret_cast<const char*>(array.data());
    for (size_t i = 0; i < count; ++i)
        std::memcpy(out + i, first + py::ssize_t(i) * array.strides(0), sizeof(double));
    return true;
}

bool may_be_array(py::handle source) {
    if (!source || source.is_none() || PyUnicode_Check(source.ptr()) || PyBytes_Check(source.ptr()))
        return false;
    return py::isinstance<py::array>(source) || PySequence_Check(source.ptr());
}

// Empty if the source is not made of numbers.
Numbers numbers_of(py::handle source) {
    // NumPy reads on from where a list was, also if a __float__ of what is in it changes the list: a copy stays as it is.
    const py::object kept = PyList_Check(source.ptr())
                              ? py::reinterpret_steal<py::object>(PyList_AsTuple(source.ptr()))
                              : py::reinterpret_borrow<py::object>(source);
    Numbers numbers = Numbers::ensure(kept);
    if (!numbers) PyErr_Clear();
    return numbers;
}

std::string shape_of(const py::array& array) {
    return py::str(array.attr("shape")).cast<std::string>();
}

}  // namespace

std::string type_name_of(py::handle value) { return Py_TYPE(value.ptr())->tp_name; }

bool read_numbers(py::handle source, double* out, size_t rows, size_t columns, const char* what) {
    if (rows == 1 && (read_list(source, out, columns) || read_array(source, out, columns)))
        return true;
    if (!may_be_array(source)) return false;
    const Numbers numbers = numbers_of(source);
    if (!numbers) return false;
    const bool fits = rows == 1 ? numbers.ndim() == 1 && numbers.shape(0) == py::ssize_t(columns)
                                : numbers.ndim() == 2 && numbers.shape(0) == py::ssize_t(rows)
                                      && numbers.shape(1) == py::ssize_t(columns);
    if (!fits)
        throw InputError(
            fmt::format("expected {}, not an array of shape {}", what, shape_of(numbers)));
    std::copy_n(numbers.data(), rows * columns, out);
    return true;
}

py::array make_array(const double* values, size_t rows, size_t columns) {
    py::array_t<double> out = rows == 1 ? py::array_t<double>(py::ssize_t(columns))
                                        : py::array_t<double>({rows, columns});
    std::copy_n(values, rows * columns, out.mutable_data());
    return out;
}

bool read_rows(py::handle source, std::vector<Vec3>& out) {
    if (!may_be_array(source)) return false;
    const Numbers numbers = numbers_of(source);
    if (!numbers) return false;
    out.clear();
    if (numbers.size() == 0) return true;
    if (numbers.ndim() != 2 || numbers.shape(1) != 3)
        throw InputError(fmt::format("expected points, an array of n x 3 numbers, not of shape {}",
                                     shape_of(numbers)));
    for (py::ssize_t i = 0; i < numbers.shape(0); ++i)
        out.push_back({numbers.at(i, 0), numbers.at(i, 1), numbers.at(i, 2)});
    return true;
}

bool read_triangles(py::handle source, std::vector<std::array<uint32_t, 3>>& out) {
    if (!may_be_array(source)) return false;
    const Numbers numbers = numbers_of(source);
    if (!numbers) return false;
    out.clear();
    if (numbers.size() == 0) return true;
    if (numbers.ndim() != 2 || numbers.shape(1) != 3)
        throw InputError(
            fmt::format("expected triangles, an array of n x 3 vertex numbers, not of shape {}",
                        shape_of(numbers)));
    for (py::ssize_t i = 0; i < numbers.shape(0); ++i) {
        std::array<uint32_t, 3> triangle{};
        for (py::ssize_t k = 0; k < 3; ++k) {
            const double index = numbers.at(i, k);
            if (!(index >= 0 && index <= 0xffffffffu) || index != std::floor(index))
                throw InputError(fmt::format(
                    "triangle {}: vertex number {} is not a whole number from zero", i, index));
            triangle[size_t(k)] = static_cast<uint32_t>(index);
        }
        out.push_back(triangle);
    }
    return true;
}

void require_made(py::handle object, const std::type_info& type) {
    const auto* known = py::detail::get_type_info(type, false);
    if (!object || known == nullptr || PyObject_TypeCheck(object.ptr(), known->type) == 0) return;
    auto* instance = reinterpret_cast<py::detail::instance*>(object.ptr());
    if (instance->get_value_and_holder(known, false).value_ptr() == nullptr)
        throw py::type_error(fmt::format("{}.__init__() was not called", type_name_of(object)));
}

Callable::Callable(py::object function)
    : function_(function.release().ptr(), [](PyObject* p) {
          // After the interpreter has ended there is nobody left to give it back to.
          if (!Py_IsInitialized()) return;
          const Locked lock;
          Py_DECREF(p);
      }) {}

namespace {

double number_from(const py::object& result, const Callable& function) {
    const double value = PyFloat_AsDouble(result.ptr());
    if (value == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        throw py::type_error(fmt::format("{} returned {}; it must return a number",
                                         py::repr(function.get()).cast<std::string>(),
                                         py::repr(result).cast<std::string>()));
    }
    return value;
}

}  // namespace

double call_for_number(const Callable& function, double time) {
    const Locked lock;
    return number_from(function.get()(time), function);
}

double call_for_number(const Callable& function, double displacement, double rate) {
    const Locked lock;
    return number_from(function.get()(displacement, rate), function);
}

const Kinematics& BorrowedKinematics::get() const {
    if (!now)
        throw InputError("Kinematics: it can be asked only while the force is being computed");
    return *now;
}

ForceSink& BorrowedSink::get() const {
    if (!sink) throw InputError("ForceSink: it takes forces only while they are being computed");
    return *sink;
}

void call_force(const Callable& function, const Kinematics& kinematics, ForceSink& sink) {
    const Locked lock;
    struct Loan {
        py::object now, out;
        ~Loan() {
            now.cast<BorrowedKinematics&>().now = nullptr;
            out.cast<BorrowedSink&>().sink = nullptr;
        }
    } loan{py::cast(BorrowedKinematics{&kinematics}), py::cast(BorrowedSink{&sink})};
    function.get()(loan.now, loan.out);
}

}  // namespace bristle::python
