// SPDX-License-Identifier: Apache-2.0
// The micro-benchmarks. Each measures one part of the path of an event, on one thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace kinf::bench {

/// A measured value; lower is better.
struct Figure {
  std::string name;
  double value = 0;
  std::string unit;
};

/// Runs `work` several times. Returns the best thread CPU time in nanoseconds, divided by `items`.
double nanoseconds(std::size_t items, const std::function<void()>& work);

std::vector<Figure> bench_split();
std::vector<Figure> bench_metadata();
std::vector<Figure> bench_queue();
std::vector<Figure> bench_index();
std::vector<Figure> bench_print();
std::vector<Figure> bench_diff();
std::vector<Figure> bench_where();

}  // namespace kinf::bench
