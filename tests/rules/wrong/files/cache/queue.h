// SPDX-License-Identifier: Apache-2.0
// What the rule on file names must refuse: cache/deep has a queue too.
#pragma once
