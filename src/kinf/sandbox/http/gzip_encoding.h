// SPDX-License-Identifier: Apache-2.0
// Compresses responses with gzip, as kube-apiserver does.
#pragma once

#include <string>
#include <string_view>

namespace kinf::sandbox {

/// Returns true if `gzip` is in an Accept-Encoding header. As in kube-apiserver, `gzip;q=0.5` and
/// `*` do not count.
bool accepts_gzip(std::string_view accept_encoding);

/// Returns `bytes` as one complete gzip member, compressed at the fastest level. The members of a
/// stream may follow one another (RFC 1952): kube-apiserver 1.37 sends each piece of a compressed
/// watch as a member.
std::string gzip_member(std::string_view bytes);

}  // namespace kinf::sandbox
