// Inputs that change the model while it runs.
#pragma once

#include "live/wire/input.h"

namespace bristle::live {

// All of them throw InputError and then have done nothing. `model` is as it is now: points of the world are
// where bodies are.
void change_model(Model&, const AddBody&);
void change_model(Model&, const AddSpring&);
void change_model(Model&, const AddJoint&);
void change_model(Model&, const Remove&);

// Whether it is a change of the model, and not only of a number in it.
bool changes_model(const Input&);
// Whether nothing is left of the earlier of two once the later one is carried out, without a step between them.
bool replaces(const Input& later, const Input& earlier);
// Numbers must be finite, whoever they come from.
void check_values(const Input&);
void require(const Model&, BodyId, const char* what);

}  // namespace bristle::live
