// SPDX-License-Identifier: Apache-2.0
// The body of a list answer, read as a stream: items come out while bytes come in, so that no
// whole body is ever in memory. Takes lists of objects, of metadata, and Tables.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/api/json_splitter.h"
#include "kinf/api/lister_watcher.h"
#include "kinf/api/object_decoder.h"
#include "kinf/api/table_reader.h"

namespace kinf {

/// Threads: one owner.
class ListDecoder {
 public:
  ListDecoder(DecodeOptions options, ListSink& sink);

  /// Takes the next bytes of the body, cut anywhere. After an error the decoder is dead: a page
  /// with a damaged item is no page.
  Result<void> feed(std::string_view bytes);
  /// After the last byte: the page's version and continue token. A protocol error if the document
  /// is not whole, or was no list.
  Result<ListPage> finish();

  /// As ListCall::continue_token().
  std::optional<std::string_view> continue_token() const;

  /// The column definitions of this page, to be handed on in DecodeOptions::columns; null if it is
  /// no Table. A page that names them behind its rows fills them in then: their objects must not
  /// be shown to other threads before finish().
  std::shared_ptr<const TableColumns> columns() const { return columns_; }

 private:
  enum class Place { before, members, items, rows, row, after };

  Result<void> take(JsonSplitter::Found found);
  Result<void> take_value();
  Result<void> take_end();
  Result<void> take_object(std::string_view json, const RowCells& row = {});
  Result<void> take_row();
  Result<void> take_columns(std::string_view json);
  Result<void> settle_columns();
  bool enters() const;

  JsonSplitter splitter_;
  ObjectDecoder decoder_;
  TableReader table_;
  ListSink& sink_;
  Place place_ = Place::before;
  std::string key_;
  std::string kind_;
  std::optional<ListPage> metadata_;  ///< once it was read
  std::string envelope_ = "{";        ///< all but the items
  std::size_t items_ = 0;
  bool has_items_ = false;
  JsonSplitter::Extent cells_;   ///< of the row being read
  JsonSplitter::Extent object_;  ///< the same
  std::shared_ptr<const TableColumns> columns_;
  std::shared_ptr<TableColumns> awaited_;  ///< given to rows that came before the definitions
  std::optional<Error> error_;
};

}  // namespace kinf
