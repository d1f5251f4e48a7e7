// How values cross between C++ and Python.
//
//   Vec3, Quat, Mat3      any sequence or array of 3, 4 (w, x, y, z) or 3 x 3 numbers; NumPy arrays back
//   points, triangles     arrays of n x 3
//   functions             Python callables, called with the interpreter's lock; functions made in C++ stay C++
//
// Every file of the module includes this one, so that a type has the same caster everywhere.
#pragma once

#include <bristle/model.h>

#include "python/interpreter.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

// Outside of ours, for the compiler leaves out the namespace it is in.
namespace type_names {
template <class Type> constexpr bool is_ours() {
    return std::string_view(__PRETTY_FUNCTION__).find("Type = bristle::") != std::string_view::npos;
}
}  // namespace type_names

namespace bristle::python {

namespace py = pybind11;

std::string type_name_of(py::handle value);
// Numbers from anything like an array. False if it is nothing of the kind (so that another overload may
// try); InputError if it is an array of another shape.
bool read_numbers(py::handle source, double* out, size_t rows, size_t columns, const char* what);
py::array make_array(const double* values, size_t rows, size_t columns);
// n x 3 numbers; columns of each row must be three.
bool read_rows(py::handle source, std::vector<Vec3>& out);
bool read_triangles(py::handle source, std::vector<std::array<uint32_t, 3>>& out);

// A Python callable, which may be copied and dropped by threads that do not hold the lock.
class Callable {
  public:
    explicit Callable(py::object function);
    py::handle get() const { return function_.get(); }

  private:
    std::shared_ptr<PyObject> function_;
};

// A function made in C++ (a table, a target of a scene file): it needs no lock to be called.
template <class Function> struct Native { Function function; };

double call_for_number(const Callable&, double time);
double call_for_number(const Callable&, double displacement, double rate);
void call_force(const Callable&, const Kinematics&, ForceSink&);

// What stands behind the two arguments of a Python force; empty once the call is over.
struct BorrowedKinematics {
    const Kinematics* now;
    const Kinematics& get() const;
};
struct BorrowedSink {
    ForceSink* sink;
    ForceSink& get() const;
};

struct PythonTimeFunction {
    Callable callable;
    double operator()(double time) const { return call_for_number(callable, time); }
};
struct PythonForceLaw {
    Callable callable;
    double operator()(double displacement, double rate) const {
        return call_for_number(callable, displacement, rate);
    }
};
struct PythonForce {
    Callable callable;
    void operator()(const Kinematics& now, ForceSink& out) const { call_force(callable, now, out); }
};

// The name of a function's type in signatures, and what a Python callable becomes.
template <class Function> struct FunctionKind;
template <> struct FunctionKind<TimeFunction> {
    static constexpr bool may_be_number = true;
    static constexpr auto name = py::detail::const_name("TimeFunction");
    using Wrapper = PythonTimeFunction;
};
template <> struct FunctionKind<ForceLaw> {
    static constexpr bool may_be_number = false;
    static constexpr auto name = py::detail::const_name("ForceLaw");
    using Wrapper = PythonForceLaw;
};
template <> struct FunctionKind<decltype(UserForce::apply)> {
    static constexpr bool may_be_number = false;
    static constexpr auto name = py::detail::const_name("ForceFunction");
    using Wrapper = PythonForce;
};

// The shape of an array's type, its name in signatures and what is expected.
template <class Array> struct ArrayKind;
template <> struct ArrayKind<Vec3> {
    static constexpr auto name = py::detail::const_name("Vec3");
    static constexpr size_t rows = 1, columns = 3;
    static constexpr const char* expected = "3 numbers (x, y, z)";
};
template <> struct ArrayKind<Quat> {
    static constexpr auto name = py::detail::const_name("Quat");
    static constexpr size_t rows = 1, columns = 4;
    static constexpr const char* expected = "4 numbers (w, x, y, z)";
};
template <> struct ArrayKind<Mat3> {
    static constexpr auto name = py::detail::const_name("Mat3");
    static constexpr size_t rows = 3, columns = 3;
    static constexpr const char* expected = "3 x 3 numbers";
};

// Classes and enumerations of ours that no caster above or below stands for.
template <class Type>
concept Wrapped =
    type_names::is_ours<Type>() &&(std::is_class_v<Type> || std::is_enum_v<Type>)&&!requires {
    ArrayKind<Type>::rows;
}
&&!requires { typename FunctionKind<Type>::Wrapper; };

// Throws TypeError for an object whose constructor was not called: behind it is no value, and pybind11 would make room for one
// without filling it.
void require_made(py::handle object, const std::type_info&);

}  // namespace bristle::python

namespace pybind11::detail {

template <class Type>
struct type_caster<Type, std::enable_if_t<bristle::python::Wrapped<Type>>>
    : type_caster_base<Type> {
    bool load(handle source, bool convert) {
        bristle::python::require_made(source, typeid(Type));
        return type_caster_base<Type>::load(source, convert);
    }
};

template <class Array>
struct type_caster<Array, void_t<decltype(bristle::python::ArrayKind<Array>::rows)>> {
    using Kind = bristle::python::ArrayKind<Array>;
    PYBIND11_TYPE_CASTER(Array, Kind::name);
    bool load(handle source, bool) {
        static_assert(sizeof(Array) == Kind::rows * Kind::columns * sizeof(double));
        return bristle::python::read_numbers(source, reinterpret_cast<double*>(&value), Kind::rows,
                                             Kind::columns, Kind::expected);
    }
    static handle cast(const Array& array, return_value_policy, handle) {
        return bristle::python::make_array(reinterpret_cast<const double*>(&array), Kind::rows,
                                           Kind::columns)
            .release();
    }
};

template <> struct type_caster<std::vector<bristle::Vec3>> {
    PYBIND11_TYPE_CASTER(std::vector<bristle::Vec3>, const_name("Points"));
    bool load(handle source, bool) { return bristle::python::read_rows(source, value); }
    static handle cast(const std::vector<bristle::Vec3>& points, return_value_policy, handle) {
        array_t<double> out({points.size(), size_t{3}});
        for (size_t i = 0; i < points.size(); ++i)
            for (int k = 0; k < 3; ++k) out.mutable_at(i, k) = points[i][k];
        return out.release();
    }
};
template <> struct type_caster<std::vector<std::array<uint32_t, 3>>> {
    using Triangles = std::vector<std::array<uint32_t, 3>>;
    PYBIND11_TYPE_CASTER(Triangles, const_name("Triangles"));
    bool load(handle source, bool) { return bristle::python::read_triangles(source, value); }
    static handle cast(const Triangles& triangles, return_value_policy, handle) {
        array_t<uint32_t> out({triangles.size(), size_t{3}});
        for (size_t i = 0; i < triangles.size(); ++i)
            for (size_t k = 0; k < 3; ++k) out.mutable_at(i, k) = triangles[i][k];
        return out.release();
    }
};

template <class Function>
struct type_caster<Function, void_t<typename bristle::python::FunctionKind<Function>::Wrapper>> {
    using Kind = bristle::python::FunctionKind<Function>;
    PYBIND11_TYPE_CASTER(Function, Kind::name);
    bool load(handle source, bool) {
        using namespace bristle::python;
        if (source.is_none()) {
            value = {};
        } else if (Kind::may_be_number
                   && (PyFloat_Check(source.ptr()) || PyLong_Check(source.ptr()))) {
            if constexpr (Kind::may_be_number) value = source.cast<double>();
        } else if (py::isinstance<Native<Function>>(source)) {
            value = source.cast<const Native<Function>&>().function;
        } else if (PyCallable_Check(source.ptr())) {
            value = typename Kind::Wrapper{Callable(reinterpret_borrow<object>(source))};
        } else {
            return false;
        }
        return true;
    }
    static handle cast(const Function& function, return_value_policy, handle) {
        using namespace bristle::python;
        if (!function) return none().release();
        if (const auto* own = function.template target<typename Kind::Wrapper>())
            return own->callable.get().inc_ref();
        return pybind11::cast(Native<Function>{function}).release();
    }
};

}  // namespace pybind11::detail
