// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: a room inside another has a row of its own.
#pragma once

#include "kinf/sandbox/store/resource_store.h"
