// SPDX-License-Identifier: Apache-2.0
// Finds quotes, backslashes and brackets in blocks of 64 bytes. Each comparison of a block with one
// of these characters yields a mask with one bit per byte. The running exclusive-or of the quotes
// is the mask of the bytes in strings. Brackets outside strings are counted, and visited one by one
// only if the value may end in the block. On x86-64 one of three implementations is selected at run
// time: SSE2, which every processor supports; AVX2, which is about twice as fast; and AVX-512,
// which computes each mask in one step.
#include "kinf/api/json_scan.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <bit>
#include <cstdint>

#include "kinf/base/processor.h"

namespace kinf {
namespace {

constexpr std::ptrdiff_t kBlock = 64;

#define KINF_AVX2 __attribute__((target("avx2,bmi,popcnt,pclmul")))
#define KINF_AVX512 __attribute__((target("avx512f,avx512bw,avx2,bmi,popcnt,pclmul")))
#define KINF_INLINE __attribute__((always_inline)) inline

struct Masks {
  std::uint64_t quotes;
  std::uint64_t backslashes;
  std::uint64_t opens;
  std::uint64_t closes;
};

/// Returns the mask of the bytes that are escaped by a backslash. `escaped` is true on entry if the
/// first byte of this block is escaped, and on return if the first byte of the next block is. In a
/// run of backslashes, every second backslash is escaped. The subtraction borrows through each run,
/// which leaves an alternating pattern wherever the run starts (the method of simdjson's
/// json_escape_scanner).
KINF_INLINE std::uint64_t escaped_bytes(std::uint64_t backslashes, bool& escaped) {
  constexpr std::uint64_t kOddBits = 0xaaaa'aaaa'aaaa'aaaa;
  const std::uint64_t first = escaped ? 1 : 0;
  const std::uint64_t escaping = backslashes & ~first;
  const std::uint64_t alternating = (((escaping << 1) | kOddBits) - escaping) ^ kOddBits;
  escaped = ((alternating & backslashes) >> (kBlock - 1)) != 0;
  return alternating ^ (backslashes | first);
}

/// Visits the brackets of a block one by one. Returns the byte after the end of the value, or null.
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

/// Returns the mask of the bytes that are not escaped.
KINF_INLINE std::uint64_t plain_bytes(std::uint64_t backslashes, JsonScanState& state) {
  if (backslashes == 0 && !state.escaped) return ~std::uint64_t{0};
  return ~escaped_bytes(backslashes, state.escaped);
}

/// Counts the brackets outside strings. Returns the byte after the end of the value, or null.
/// `strings` is the running exclusive-or of the unescaped quotes, computed as if the block started
/// outside a string.
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
  /// The bitwise OR of all bytes, and their minimum. They show whether there are non-ASCII bytes or
  /// control characters.
  struct Kinds {
    __m128i bits = _mm_setzero_si128();
    __m128i lowest = _mm_set1_epi8(char(0xff));
    KINF_INLINE void take(__m128i part) {
      bits = _mm_or_si128(bits, part);
      lowest = _mm_min_epu8(lowest, part);
    }
    KINF_INLINE void note(JsonBytes& seen) const {
      const __m128i limit = _mm_set1_epi8(0x1f);
      const __m128i low = _mm_cmpeq_epi8(_mm_max_epu8(lowest, limit), limit);
      seen.control = seen.control || _mm_movemask_epi8(low) != 0;
      seen.beyond_ascii = seen.beyond_ascii || _mm_movemask_epi8(bits) != 0;
    }
  };

  /// Computes the masks of a block. Square and curly brackets differ only in bit 0x20.
  KINF_INLINE static Masks masks(const char* block, Kinds& kinds) {
    Masks all{};
    const __m128i bit = _mm_set1_epi8(0x20);
    for (int i = 0; i < 4; ++i) {
      const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i));
      kinds.take(part);
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
    Kinds kinds;
    const char* found = nullptr;
    for (; found == nullptr && end - from >= kBlock; from += kBlock) {
      const Masks all = masks(from, kinds);
      const std::uint64_t plain = plain_bytes(all.backslashes, state);
      const std::uint64_t strings = running_xor(all.quotes & plain);
      found = count_brackets(from, all, plain, strings, state);
    }
    kinds.note(state.seen);
    return found;
  }
};

struct Avx2 {
  struct Kinds {
    __m256i bits;
    __m256i lowest;
    KINF_AVX2 KINF_INLINE Kinds()
        : bits(_mm256_setzero_si256()), lowest(_mm256_set1_epi8(char(0xff))) {}
    KINF_AVX2 KINF_INLINE void take(__m256i part) {
      bits = _mm256_or_si256(bits, part);
      lowest = _mm256_min_epu8(lowest, part);
    }
    KINF_AVX2 KINF_INLINE void note(JsonBytes& seen) const {
      const __m256i limit = _mm256_set1_epi8(0x1f);
      const __m256i low = _mm256_cmpeq_epi8(_mm256_max_epu8(lowest, limit), limit);
      seen.control = seen.control || _mm256_movemask_epi8(low) != 0;
      seen.beyond_ascii = seen.beyond_ascii || _mm256_movemask_epi8(bits) != 0;
    }
  };

  KINF_AVX2 KINF_INLINE static Masks masks(const char* block, Kinds& kinds) {
    Masks all{};
    const __m256i bit = _mm256_set1_epi8(0x20);
    for (int i = 0; i < 2; ++i) {
      const __m256i part = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block + 32 * i));
      kinds.take(part);
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
  /// Computes the running exclusive-or as a carry-less product with all ones.
  KINF_AVX2 KINF_INLINE static std::uint64_t running_xor(std::uint64_t bits) {
    const __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<long long>(bits)),
                                                 _mm_set1_epi8(char(0xff)), 0);
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
  }
  KINF_AVX2 static const char* scan(const char*& from, const char* end, JsonScanState& state) {
    Kinds kinds;
    const char* found = nullptr;
    for (; found == nullptr && end - from >= kBlock; from += kBlock) {
      const Masks all = masks(from, kinds);
      const std::uint64_t plain = plain_bytes(all.backslashes, state);
      const std::uint64_t strings = running_xor(all.quotes & plain);
      found = count_brackets(from, all, plain, strings, state);
    }
    kinds.note(state.seen);
    return found;
  }
};

struct Avx512 {
  KINF_AVX512 KINF_INLINE static std::uint64_t equal(__m512i block, char c) {
    return _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(c));
  }
  KINF_AVX512 static const char* scan(const char*& from, const char* end, JsonScanState& state) {
    __m512i bits = _mm512_setzero_si512();
    __m512i lowest = _mm512_set1_epi8(char(0xff));
    const char* found = nullptr;
    for (; found == nullptr && end - from >= kBlock; from += kBlock) {
      const __m512i block = _mm512_loadu_si512(from);
      bits = _mm512_or_si512(bits, block);
      lowest = _mm512_min_epu8(lowest, block);
      const __m512i curly = _mm512_or_si512(block, _mm512_set1_epi8(0x20));
      const Masks all{equal(block, '"'), equal(block, '\\'), equal(curly, '{'), equal(curly, '}')};
      const std::uint64_t plain = plain_bytes(all.backslashes, state);
      const std::uint64_t strings = Avx2::running_xor(all.quotes & plain);
      found = count_brackets(from, all, plain, strings, state);
    }
    const __mmask64 low = _mm512_cmplt_epu8_mask(lowest, _mm512_set1_epi8(0x20));
    state.seen.control = state.seen.control || low != 0;
    state.seen.beyond_ascii = state.seen.beyond_ascii || _mm512_movepi8_mask(bits) != 0;
    return found;
  }
};

}  // namespace

const char* scan_blocks(const char*& from, const char* end, JsonScanState& state) {
  using Scan = const char* (*)(const char*&, const char*, JsonScanState&);
  static const VectorInstructions kHas = vector_instructions(read_processor());
  static const Scan kBest = kHas.avx512 ? Avx512::scan : kHas.avx2 ? Avx2::scan : Sse2::scan;
  return kBest(from, end, state);
}

const char* find_in_string(const char* from, const char* end, JsonBytes& seen) {
  constexpr std::ptrdiff_t kPart = 16;
  Sse2::Kinds kinds;
  while (end - from >= kPart) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    kinds.take(part);
    const std::uint64_t found = Sse2::equal(part, '"') | Sse2::equal(part, '\\');
    if (found != 0) {
      kinds.note(seen);
      return from + std::countr_zero(found);
    }
    from += kPart;
  }
  kinds.note(seen);
  for (; from != end && *from != '"' && *from != '\\'; ++from) note_byte(*from, seen);
  return from;
}

}  // namespace kinf

#else

namespace kinf {

const char* find_in_string(const char* from, const char* end, JsonBytes& seen) {
  for (; from != end && *from != '"' && *from != '\\'; ++from) note_byte(*from, seen);
  return from;
}

const char* scan_blocks(const char*&, const char*, JsonScanState&) { return nullptr; }

}  // namespace kinf

#endif
