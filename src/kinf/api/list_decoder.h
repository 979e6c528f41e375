// SPDX-License-Identifier: Apache-2.0
// ListDecoder: reads the body of a list answer as a stream. Items are delivered as their bytes
// arrive, so the whole body is never in memory. Reads lists of objects, of metadata, and Tables.
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

  /// Takes the next bytes of the body, cut anywhere, and gives the items in them to the sink. Keeps
  /// no views of `bytes`. Errors: protocol; the decoder cannot be used any more then, because a
  /// page with a damaged item is not used.
  Result<void> feed(std::string_view bytes);
  /// Call after the last byte. Returns the page's version and continue token. Errors: protocol, if
  /// the document is incomplete or not a list; that of the Status, if it is one.
  Result<ListPage> finish();

  /// As ListCall::continue_token().
  std::optional<std::string_view> continue_token() const;

  /// The column definitions of this page, to pass in DecodeOptions::columns for the next one; null
  /// if it is not a Table. If they come after the rows, they are filled in then, so the objects
  /// must not be used by other threads before finish().
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
  void assume_item_type();
  bool enters() const;

  JsonSplitter splitter_;
  ObjectDecoder decoder_;
  TableReader table_;
  ListSink& sink_;
  Place place_ = Place::before;
  std::string key_;
  std::string kind_;                  ///< of the list
  std::string api_version_;           ///< of the list
  std::optional<ListPage> metadata_;  ///< set once it was read
  std::string envelope_ = "{";        ///< all members except the items
  std::size_t items_ = 0;
  bool has_items_ = false;
  JsonSplitter::Extent cells_;   ///< of the row being read
  JsonSplitter::Extent object_;  ///< of the row being read
  std::shared_ptr<const TableColumns> columns_;
  std::shared_ptr<TableColumns> awaited_;  ///< given to rows that came before the definitions
  std::optional<Error> error_;
};

}  // namespace kinf
