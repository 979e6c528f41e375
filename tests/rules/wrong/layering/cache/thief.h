// SPDX-License-Identifier: Apache-2.0
// What the layering test must refuse: a room that holds things reaching for one that runs them.
#pragma once
#include "kinf/api/object.h"
#include "kinf/informer/reflector.h"
