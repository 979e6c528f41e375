// SPDX-License-Identifier: Apache-2.0
// ListDecoder: reads the body of a list response as a stream. Delivers items as their bytes arrive,
// so that the complete body is never in memory. Reads lists of objects, lists of metadata, and
// Tables.
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

  /// Decodes the next bytes of the body, which may be split anywhere, and passes complete items to
  /// the sink. Keeps no views of `bytes`. Errors: protocol; after that, every call returns the same
  /// error.
  Result<void> feed(std::string_view bytes);
  /// Returns the page's resourceVersion and continue token. Call after the last byte. Errors:
  /// protocol, if the document is incomplete or not a list; if it is a Status, the Status's error.
  Result<ListPage> finish();

  /// See ListCall::continue_token().
  std::optional<std::string_view> continue_token() const;

  /// Returns the number of items passed to the sink.
  std::size_t items() const { return items_; }
  /// Returns the number of items that the server has beyond this page; 0 if it is not known (yet).
  std::int64_t remaining_items() const { return metadata_ ? metadata_->remaining_items : 0; }

  /// Returns the column definitions of this page, to pass in DecodeOptions::columns for the next
  /// page; null while they are not known, or if the page is not a Table. If the definitions follow
  /// the rows, they are filled in after the objects were created, so other threads must not use the
  /// objects before finish().
  std::shared_ptr<const TableColumns> columns() const {
    return awaited_ == nullptr ? columns_ : nullptr;
  }

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
  std::string kind_;                  ///< the kind of the list
  std::string api_version_;           ///< the apiVersion of the list
  std::optional<ListPage> metadata_;  ///< set after it was read
  std::string envelope_ = "{";        ///< all members except the items
  std::size_t items_ = 0;
  bool has_items_ = false;
  JsonSplitter::Extent cells_;   ///< the cells of the Table row being read
  JsonSplitter::Extent object_;  ///< the object of the Table row being read
  std::shared_ptr<const TableColumns> columns_;
  /// Assigned to the rows that precede the column definitions, and filled in when these arrive.
  std::shared_ptr<TableColumns> awaited_;
  std::optional<Error> error_;
};

}  // namespace kinf
