#include "kinf/cli/session/two.h"
struct Plan {
  int a_;
};
