// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/processor.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

constexpr std::uint32_t kLeaf1 = 1U << 1 | 1U << 23 | 1U << 27;  // PCLMULQDQ, POPCNT, OSXSAVE
constexpr std::uint32_t kLeaf7Avx2 = 1U << 3 | 1U << 5;          // BMI1, AVX2
constexpr std::uint32_t kLeaf7Avx512 = kLeaf7Avx2 | 1U << 16 | 1U << 30;  // F, BW

TEST_CASE("vector instructions need the processor and the system") {
  struct Row {
    ProcessorBits bits;
    bool avx2;
    bool avx512;
  };
  for (const Row& row : {
           Row{{kLeaf1, kLeaf7Avx512, 0xe7}, true, true},
           Row{{kLeaf1, kLeaf7Avx2, 0xe7}, true, false},
           // The system saves no ZMM registers, or no YMM registers.
           Row{{kLeaf1, kLeaf7Avx512, 0x07}, true, false},
           Row{{kLeaf1, kLeaf7Avx512, 0x66}, true, false},
           Row{{kLeaf1, kLeaf7Avx512, 0x03}, false, false},
           Row{{kLeaf1, kLeaf7Avx512, 0}, false, false},
           // One instruction of the group is missing.
           Row{{kLeaf1 & ~(1U << 1), kLeaf7Avx512, 0xe7}, false, false},
           Row{{kLeaf1 & ~(1U << 23), kLeaf7Avx512, 0xe7}, false, false},
           Row{{kLeaf1 & ~(1U << 27), kLeaf7Avx512, 0xe7}, false, false},
           Row{{kLeaf1, kLeaf7Avx512 & ~(1U << 3), 0xe7}, false, false},
           Row{{kLeaf1, kLeaf7Avx512 & ~(1U << 5), 0xe7}, false, false},
           Row{{kLeaf1, kLeaf7Avx512 & ~(1U << 30), 0xe7}, true, false},
           Row{{}, false, false},
       }) {
    CAPTURE(row.bits.leaf1_ecx);
    CAPTURE(row.bits.leaf7_ebx);
    CAPTURE(row.bits.xcr0);
    const VectorInstructions found = vector_instructions(row.bits);
    CHECK(found.avx2 == row.avx2);
    CHECK(found.avx512 == row.avx512);
  }
}

// With other compilers __builtin_cpu_supports() may always return 0.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
TEST_CASE("the vector instructions of this machine are those that gcc finds") {
  __builtin_cpu_init();
  const auto supports = [](int answer) { return answer != 0; };
  const bool avx2 =
      supports(__builtin_cpu_supports("avx2")) && supports(__builtin_cpu_supports("bmi")) &&
      supports(__builtin_cpu_supports("popcnt")) && supports(__builtin_cpu_supports("pclmul"));
  const bool avx512 =
      supports(__builtin_cpu_supports("avx512f")) && supports(__builtin_cpu_supports("avx512bw"));
  const VectorInstructions found = vector_instructions(read_processor());
  CHECK(found.avx2 == avx2);
  CHECK(found.avx512 == (avx2 && avx512));
}
#endif

}  // namespace
}  // namespace kinf
