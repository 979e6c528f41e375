// SPDX-License-Identifier: Apache-2.0
// kinf_bench [LAST]: prints one figure per line. LAST is the output of an earlier run: kinf_bench
// warns about figures that are now 25 % slower. It never fails because of speed: machines differ.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>

#include "cases.h"

namespace kinf::bench {

double nanoseconds(std::size_t items, const std::function<void()>& work) {
  constexpr int kRuns = 5;
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    timespec begin{};
    timespec end{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    work();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    const double took =
        double(end.tv_sec - begin.tv_sec) * 1e9 + double(end.tv_nsec - begin.tv_nsec);
    if (run == 0 || took < best) best = took;
  }
  return best / static_cast<double>(items);
}

namespace {

/// Reads lines of the form `| name | value | unit |`; ignores other lines.
std::map<std::string, double> read_figures(const char* path) {
  std::map<std::string, double> figures;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find("| ");
    const std::size_t second = line.find(" | ", first + 1);
    if (first != 0 || second == std::string::npos) continue;
    figures[line.substr(2, second - 2)] = std::atof(line.c_str() + second + 3);
  }
  return figures;
}

void warn_of_slower(const Figure& figure, const std::map<std::string, double>& last) {
  const auto before = last.find(figure.name);
  if (before == last.end() || figure.value < 1.25 * before->second) return;
  fmt::print(stderr, "warning: {}: {:.0f} {}, was {:.0f}\n", figure.name, figure.value, figure.unit,
             before->second);
}

}  // namespace
}  // namespace kinf::bench

int main(int argc, char** argv) {
  using namespace kinf::bench;
  const auto last = argc > 1 ? read_figures(argv[1]) : std::map<std::string, double>();
  fmt::print("| part | least of five | |\n|---|---|---|\n");
  for (const auto& part : {bench_split, bench_metadata, bench_queue, bench_index, bench_print,
                           bench_diff, bench_where}) {
    for (const Figure& figure : part()) {
      fmt::print("| {} | {:.0f} | {} |\n", figure.name, figure.value, figure.unit);
      warn_of_slower(figure, last);
    }
  }
}
