// SPDX-License-Identifier: Apache-2.0
// What the tests of a program that uses kinf need: a clock and a source of objects that they
// control. doc/testing.md explains them.
#pragma once

#include "kinf/testing/fake_clock.h"
#include "kinf/testing/fake_source.h"
