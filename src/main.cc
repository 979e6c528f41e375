// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/entry_point.h"

int main(int argc, char** argv) { return kinf::run(argc, argv); }
