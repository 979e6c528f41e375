// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/processor.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kinf {
namespace {

constexpr std::uint32_t bit(int position) { return std::uint32_t{1} << position; }

// CPUID leaf 1, ECX.
constexpr std::uint32_t kPclmul = bit(1);
constexpr std::uint32_t kPopcnt = bit(23);
constexpr std::uint32_t kOsxsave = bit(27);
// CPUID leaf 7, EBX.
constexpr std::uint32_t kBmi1 = bit(3);
constexpr std::uint32_t kAvx2 = bit(5);
constexpr std::uint32_t kAvx512F = bit(16);
constexpr std::uint32_t kAvx512Bw = bit(30);
// Bits of XCR0: the XMM and YMM registers, and for AVX-512 also the mask registers and both parts
// of ZMM.
constexpr std::uint64_t kYmmState = 0x06;
constexpr std::uint64_t kZmmState = 0xe6;

template <class Number>
constexpr bool has_all(Number value, Number wanted) {
  return (value & wanted) == wanted;
}

}  // namespace

VectorInstructions vector_instructions(const ProcessorBits& bits) {
  VectorInstructions found;
  found.avx2 = has_all(bits.leaf1_ecx, kPclmul | kPopcnt | kOsxsave) &&
               has_all(bits.leaf7_ebx, kBmi1 | kAvx2) && has_all(bits.xcr0, kYmmState);
  found.avx512 =
      found.avx2 && has_all(bits.leaf7_ebx, kAvx512F | kAvx512Bw) && has_all(bits.xcr0, kZmmState);
  return found;
}

ProcessorBits read_processor() {
  ProcessorBits bits;
#if defined(__x86_64__)
  std::uint32_t eax = 0;
  std::uint32_t ebx = 0;
  std::uint32_t ecx = 0;
  std::uint32_t edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return bits;
  bits.leaf1_ecx = ecx;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0) bits.leaf7_ebx = ebx;
  // Without OSXSAVE, the xgetbv instruction is invalid.
  if (has_all(bits.leaf1_ecx, kOsxsave)) {
    __asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
    bits.xcr0 = std::uint64_t{edx} << 32 | eax;
  }
#endif
  return bits;
}

}  // namespace kinf
