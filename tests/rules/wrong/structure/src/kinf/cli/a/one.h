#include "kinf/cli/b/two.h"
struct Plan {
  int a_;
};
