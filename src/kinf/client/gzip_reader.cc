// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/gzip_reader.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace kinf {
namespace {

constexpr int kGzipWindow = 15 + 16;  // 15: largest window; 16: require a gzip header and trailer

}  // namespace

void GzipReader::Closer::operator()(z_stream_s* stream) const {
  inflateEnd(stream);
  delete stream;
}

GzipReader::GzipReader() : stream_(new z_stream()), output_(kPiece, '\0') {
  failed_ = inflateInit2(stream_.get(), kGzipWindow) != Z_OK;
}

GzipReader::~GzipReader() = default;

void GzipReader::feed(std::string_view bytes) {
  if (used_ * 2 >= input_.size()) {
    input_.erase(0, used_);
    used_ = 0;
  }
  input_.append(bytes);
}

std::unexpected<Error> GzipReader::damaged() {
  failed_ = true;
  const char* const detail = stream_->msg == nullptr ? "unknown error" : stream_->msg;
  return fail(ErrorKind::protocol, std::string("invalid gzip data: ") + detail);
}

Result<std::string_view> GzipReader::next() {
  if (failed_) return damaged();
  z_stream& stream = *stream_;
  stream.next_out = reinterpret_cast<Bytef*>(output_.data());
  stream.avail_out = static_cast<uInt>(output_.size());
  while (stream.avail_out > 0) {
    const std::size_t left =
        std::min<std::size_t>(input_.size() - used_, std::numeric_limits<uInt>::max());
    stream.next_in = reinterpret_cast<Bytef*>(input_.data() + used_);
    stream.avail_in = static_cast<uInt>(left);
    const int status = inflate(&stream, Z_SYNC_FLUSH);
    used_ += left - stream.avail_in;
    if (status == Z_BUF_ERROR) break;  // more input is needed
    if (status != Z_OK && status != Z_STREAM_END) return damaged();
    if (status == Z_STREAM_END) {
      if (used_ == input_.size()) break;
      inflateReset(&stream);  // another gzip member follows
    }
  }
  output_was_full_ = stream.avail_out == 0;
  return std::string_view(output_).substr(0, output_.size() - stream.avail_out);
}

}  // namespace kinf
