#include "kinf/cli/a/one.h"
struct Plan {
  int a_;
  std::function<void(int)> b_;  ///< counted
};
