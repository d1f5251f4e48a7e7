// Bristle: real-time multibody dynamics with contact. Everything a user needs.
#pragma once

#include <bristle/analysis.h>
#include <bristle/error.h>
#include <bristle/math.h>
#include <bristle/model.h>
#include <bristle/stateful.h>
#include <bristle/version.h>
#include <bristle/world.h>
