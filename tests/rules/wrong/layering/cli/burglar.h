// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: a room inside another is seen by its own house only, whatever `above` says.
#pragma once

#include "kinf/sandbox/sandbox.h"
#include "kinf/sandbox/store/resource_store.h"
