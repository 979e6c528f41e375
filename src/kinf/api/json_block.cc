// SPDX-License-Identifier: Apache-2.0
// Each comparison of a block gives a mask with one bit per byte. Strings are the running
// exclusive-or of the quotes; brackets outside of them are counted, not visited, unless the value
// may end in this block. Two forms on x86-64, chosen when the program runs: SSE2, which every
// processor has, and AVX2 with its companions, about twice as fast.
#include "kinf/api/json_block.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <bit>
#include <cstdint>

namespace kinf {
namespace {

constexpr std::ptrdiff_t kBlock = 64;

#define KINF_AVX2 __attribute__((target("avx2,bmi,popcnt,pclmul")))
#define KINF_INLINE __attribute__((always_inline)) inline

struct Masks {
  std::uint64_t quotes;
  std::uint64_t backslashes;
  std::uint64_t opens;
  std::uint64_t closes;
};

/// The bytes behind a backslash that is not itself behind one. `escaped`: the first byte is; on
/// return, whether the first byte of the next block is.
KINF_INLINE std::uint64_t escaped_bytes(std::uint64_t backslashes, bool& escaped) {
  std::uint64_t result = escaped ? 1 : 0;
  backslashes &= ~result;
  escaped = false;
  while (backslashes != 0) {
    const int at = std::countr_zero(backslashes);
    if (at == kBlock - 1) {
      escaped = true;
      break;
    }
    result |= std::uint64_t{2} << at;
    backslashes &= ~(std::uint64_t{3} << at);
  }
  return result;
}

/// Visits the brackets of a block in which the value may end.
KINF_INLINE const char* visit(const char* block, std::uint64_t opens, std::uint64_t closes,
                              std::size_t& depth) {
  for (std::uint64_t rest = opens | closes; rest != 0; rest &= rest - 1) {
    const int at = std::countr_zero(rest);
    if ((opens >> at & 1) != 0) {
      ++depth;
    } else if (--depth == 0) {
      return block + at + 1;
    }
  }
  return nullptr;
}

/// All bytes but the escaped ones.
KINF_INLINE std::uint64_t plain_bytes(std::uint64_t backslashes, JsonScanState& state) {
  if (backslashes == 0 && !state.escaped) return ~std::uint64_t{0};
  return ~escaped_bytes(backslashes, state.escaped);
}

/// `strings`: the running exclusive-or of the plain quotes, as if the block began outside of one.
KINF_INLINE const char* count_brackets(const char* block, const Masks& masks, std::uint64_t plain,
                                       std::uint64_t strings, JsonScanState& state) {
  if (state.in_string) strings = ~strings;
  state.in_string = (strings >> (kBlock - 1)) != 0;
  const std::uint64_t opens = masks.opens & plain & ~strings;
  const std::uint64_t closes = masks.closes & plain & ~strings;
  const auto closed = static_cast<std::size_t>(std::popcount(closes));
  if (state.depth <= closed) return visit(block, opens, closes, state.depth);
  state.depth += static_cast<std::size_t>(std::popcount(opens)) - closed;
  return nullptr;
}

struct Sse2 {
  /// Square brackets differ from curly ones only by the bit 0x20.
  KINF_INLINE static Masks masks(const char* block) {
    Masks all{};
    const __m128i bit = _mm_set1_epi8(0x20);
    for (int i = 0; i < 4; ++i) {
      const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i));
      const __m128i curly = _mm_or_si128(part, bit);
      all.quotes |= equal(part, '"') << (16 * i);
      all.backslashes |= equal(part, '\\') << (16 * i);
      all.opens |= equal(curly, '{') << (16 * i);
      all.closes |= equal(curly, '}') << (16 * i);
    }
    return all;
  }
  KINF_INLINE static std::uint64_t equal(__m128i part, char c) {
    const int found = _mm_movemask_epi8(_mm_cmpeq_epi8(part, _mm_set1_epi8(c)));
    return static_cast<std::uint32_t>(found);
  }
  KINF_INLINE static std::uint64_t running_xor(std::uint64_t bits) {
    for (int shift = 1; shift < kBlock; shift *= 2) bits ^= bits << shift;
    return bits;
  }
  static const char* scan(const char*& from, const char* end, JsonScanState& state) {
    for (; end - from >= kBlock; from += kBlock) {
      const Masks all = masks(from);
      const std::uint64_t plain = plain_bytes(all.backslashes, state);
      const std::uint64_t strings = running_xor(all.quotes & plain);
      if (const char* found = count_brackets(from, all, plain, strings, state)) return found;
    }
    return nullptr;
  }
};

struct Avx2 {
  KINF_AVX2 KINF_INLINE static Masks masks(const char* block) {
    Masks all{};
    const __m256i bit = _mm256_set1_epi8(0x20);
    for (int i = 0; i < 2; ++i) {
      const __m256i part = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block + 32 * i));
      const __m256i curly = _mm256_or_si256(part, bit);
      all.quotes |= equal(part, '"') << (32 * i);
      all.backslashes |= equal(part, '\\') << (32 * i);
      all.opens |= equal(curly, '{') << (32 * i);
      all.closes |= equal(curly, '}') << (32 * i);
    }
    return all;
  }
  KINF_AVX2 KINF_INLINE static std::uint64_t equal(__m256i part, char c) {
    const int found = _mm256_movemask_epi8(_mm256_cmpeq_epi8(part, _mm256_set1_epi8(c)));
    return static_cast<std::uint32_t>(found);
  }
  /// A carry-less product with all ones.
  KINF_AVX2 KINF_INLINE static std::uint64_t running_xor(std::uint64_t bits) {
    const __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<long long>(bits)),
                                                 _mm_set1_epi8(char(0xff)), 0);
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
  }
  KINF_AVX2 static const char* scan(const char*& from, const char* end, JsonScanState& state) {
    for (; end - from >= kBlock; from += kBlock) {
      const Masks all = masks(from);
      const std::uint64_t plain = plain_bytes(all.backslashes, state);
      const std::uint64_t strings = running_xor(all.quotes & plain);
      if (const char* found = count_brackets(from, all, plain, strings, state)) return found;
    }
    return nullptr;
  }
};

bool has_avx2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
         __builtin_cpu_supports("popcnt") != 0 && __builtin_cpu_supports("pclmul") != 0;
}

}  // namespace

const char* scan_blocks(const char*& from, const char* end, JsonScanState& state) {
  static const auto kBest = has_avx2() ? Avx2::scan : Sse2::scan;
  return kBest(from, end, state);
}

}  // namespace kinf

#else

namespace kinf {

const char* scan_blocks(const char*&, const char*, JsonScanState&) { return nullptr; }

}  // namespace kinf

#endif
