// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <memory>

#include "kinf/base/sync.h"

namespace kinf::log {
namespace {

/// 1 and above: the verbosity level. 0: notices and warnings. -1: warnings only.
std::atomic<int> max_verbosity{0};

struct Output {
  Mutex mu;
  std::shared_ptr<const Sink> sink KINF_GUARDED_BY(mu);  ///< null: stderr
};

Output& output() {
  static Output instance;
  return instance;
}

spdlog::logger& stderr_logger() {
  static spdlog::logger logger = [] {
    spdlog::logger made("kinf", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made.set_pattern("kinf: %v");
    return made;
  }();
  return logger;
}

}  // namespace

void configure(const Options& options) {
  max_verbosity = options.verbosity > 0 ? options.verbosity : (options.quiet ? -1 : 0);
}

void set_sink(Sink sink) {
  auto shared = sink ? std::make_shared<const Sink>(std::move(sink)) : nullptr;
  MutexLock lock(output().mu);
  output().sink.swap(shared);
}

bool enabled(int verbosity) { return verbosity <= max_verbosity; }

void write_line(std::string_view line) {
  std::shared_ptr<const Sink> sink;
  {
    MutexLock lock(output().mu);
    sink = output().sink;
  }
  if (sink != nullptr) {
    (*sink)(line);
  } else {
    stderr_logger().info("{}", line);
  }
}

}  // namespace kinf::log
