// SPDX-License-Identifier: Apache-2.0
// Finds out which vector instructions this machine supports. Asks the processor itself, because
// __builtin_cpu_supports() needs a compiler runtime that is incomplete in some toolchains.
#pragma once

#include <cstdint>

namespace kinf {

/// The features that the processor reports. The bits are numbered as in Intel's and AMD's manuals.
struct ProcessorBits {
  std::uint32_t leaf1_ecx = 0;  ///< CPUID leaf 1
  std::uint32_t leaf7_ebx = 0;  ///< CPUID leaf 7, subleaf 0; 0 if there is no such leaf
  std::uint64_t xcr0 = 0;       ///< the registers that the system saves; 0 if OSXSAVE is not set
};

struct VectorInstructions {
  bool avx2 = false;    ///< AVX2, BMI1, POPCNT and PCLMULQDQ
  bool avx512 = false;  ///< AVX-512 F and BW, and all of `avx2`
};

/// Returns the instructions that both the processor and the operating system support.
VectorInstructions vector_instructions(const ProcessorBits& bits);

/// Returns the bits of this processor. All bits are 0 on processors other than x86-64. Never
/// blocks. Threads: any.
ProcessorBits read_processor();

}  // namespace kinf
