// SPDX-License-Identifier: Apache-2.0
// The body of a list answer, read as a stream: items come out while bytes come in, so that no
// whole body is ever in memory. Takes lists of objects, of metadata, and Tables.
#pragma once

#include <memory>
#include <string_view>

#include "kinf/api/lister_watcher.h"
#include "kinf/api/object_decoder.h"

namespace kinf {

/// Threads: one owner.
class ListDecoder {
 public:
  ListDecoder(DecodeOptions options, ListSink& sink);
  ~ListDecoder();
  ListDecoder(const ListDecoder&) = delete;
  ListDecoder& operator=(const ListDecoder&) = delete;

  /// Takes the next bytes of the body, cut anywhere. After an error the decoder is dead: a page
  /// with a damaged item is no page.
  Result<void> feed(std::string_view bytes);
  /// After the last byte: the page's version and continue token. A protocol error if the document
  /// is not whole, or was no list.
  Result<ListPage> finish();

  /// The column definitions of this page, to be handed on in DecodeOptions::columns; null if it is
  /// no Table. A page that names them behind its rows fills them in then: their objects must not
  /// be shown to other threads before finish().
  std::shared_ptr<const TableColumns> columns() const;

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

}  // namespace kinf
