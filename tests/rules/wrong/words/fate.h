// SPDX-License-Identifier: Apache-2.0
// What the rule on words must refuse. Whoever reads this stops, save
// that they know why. Identifiers such as nobody_else and whoever_ are not words.
#pragma once
