#include "io/scene/functions.h"

#include <bristle/scene.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace bristle::io {
namespace {

// Force and torque by expressions of time and of the motion of a point.
struct PointForce {
    BodyId body;
    Vec3 at;  // in the body
    std::vector<Expression> force, torque;

    static Vec3 value(const std::vector<Expression>& functions, std::span<const double> variables) {
        return {functions[0](variables), functions[1](variables), functions[2](variables)};
    }
    void operator()(const Kinematics& now, ForceSink& sink) const {
        const Pose pose = now.pose(body);
        const Twist twist = now.twist(body);
        const Vec3 arm = pose.orientation.matrix() * at, point = pose.position + arm;
        const Vec3 velocity = twist.linear + cross(twist.angular, arm);
        const double variables[] = {
            now.time(), point.x,    point.y,    point.z,
            velocity.x, velocity.y, velocity.z, depends_on(pressed) ? now.normal_force(body) : 0};
        if (!force.empty()) sink.add_force(body, value(force, variables), point);
        if (!torque.empty()) sink.add_torque(body, value(torque, variables));
    }
    // Which of variables_of_points is n.
    static constexpr size_t pressed = 7;
    bool depends_on(size_t variable) const {
        for (const auto* list : {&force, &torque})
            for (const Expression& f : *list)
                if (f.uses(variable)) return true;
        return false;
    }
    bool depends_on_motion() const {
        for (size_t variable = 1; variable <= pressed; ++variable)
            if (depends_on(variable)) return true;
        return false;
    }
};

Expression parsed(const std::string& text, std::span<const char* const> variables) {
    try {
        return Expression(text, {}, variables);
    } catch (const ExpressionError& error) {
        throw InputError(fmt::format("'{}', letter {}: {}", text.substr(0, 100), error.column + 1,
                                     error.what()));
    }
}

std::vector<Expression> three(const std::vector<std::string>& texts, const char* what) {
    if (!texts.empty() && texts.size() != 3)
        throw InputError(
            fmt::format("{} has {} expressions; expected three, or none", what, texts.size()));
    std::vector<Expression> list;
    list.reserve(texts.size());
    for (const std::string& text : texts) list.push_back(parsed(text, variables_of_points));
    return list;
}

std::vector<std::string> texts_of(const std::vector<Expression>& list) {
    std::vector<std::string> texts;
    texts.reserve(list.size());
    for (const Expression& f : list) texts.push_back(f.text());
    return texts;
}

}  // namespace

TimeFunction time_function(const Expression& f) {
    return {[f](double t) { return f({&t, 1}); }, f.text()};
}

ForceLaw force_law(const Expression& f) {
    return {[f](double x, double v) { return f(std::array{x, v}); }, f.text()};
}

UserForce point_force(BodyId body, Vec3 at, const std::vector<Expression>& force,
                      const std::vector<Expression>& torque) {
    PointForce point{body, at, force, torque};
    UserForce user{.bodies = point.depends_on_motion() ? std::vector{body} : std::vector<BodyId>{},
                   .text = UserForce::Text{body, at, texts_of(force), texts_of(torque)}};
    user.apply = std::move(point);
    return user;
}

TimeFunction time_function(const std::string& expression) {
    return time_function(parsed(expression, variables_of_time));
}

ForceLaw force_law(const std::string& expression) {
    return force_law(parsed(expression, variables_of_laws));
}

UserForce point_force(BodyId body, Vec3 at, const std::vector<std::string>& force,
                      const std::vector<std::string>& torque) {
    if (force.empty() && torque.empty())
        throw InputError("a force on a point has neither force nor torque; give one of them");
    return point_force(body, at, three(force, "force"), three(torque, "torque"));
}

}  // namespace bristle::io
