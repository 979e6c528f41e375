// SPDX-License-Identifier: Apache-2.0
// Closes many file descriptors at once, for processes that must not keep those of kinf.
#pragma once

namespace kinf {

enum class Closing { now, on_exec };

/// Closes the open descriptors from `first` to `last`, both included. Ignores errors. Makes only
/// system calls, so that it may run after fork or vfork.
void close_descriptors(unsigned first, unsigned last, Closing when);

/// Does the same with a call per descriptor, as systems without close_range() need. Covers only
/// the descriptors below the limit of the process, and at most the first 65536.
void close_descriptors_singly(unsigned first, unsigned last, Closing when);

}  // namespace kinf
