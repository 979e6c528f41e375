// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/http_lister_watcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "kinf/api/api_status.h"
#include "kinf/api/list_decoder.h"
#include "kinf/api/object.h"
#include "kinf/api/selectors.h"
#include "kinf/api/watch_decoder.h"
#include "kinf/base/log.h"
#include "kinf/client/api_exchange.h"
#include "kinf/client/http_transport.h"
#include "kinf/client/paths.h"

namespace kinf {
namespace {

/// kinf stops reading from the network while more than this many bytes of events (1 MiB) wait for
/// poll(). A single event may be larger.
constexpr std::size_t kBacklogBytes = 1024 * 1024;

class HttpListCall final : public ListCall, private ApiExchange {
 public:
  HttpListCall(HttpTransport& transport, RequestAuthorizer* authorizer, ApiRequest request,
               DecodeOptions options, ListSink& sink, std::shared_ptr<const TableColumns>& columns,
               ListCounter& counter, std::int64_t first_page)
      : ApiExchange(transport, authorizer, std::move(request)),
        columns_(&columns),
        counter_(&counter),
        first_page_(first_page),
        decoder_(std::move(options), sink) {}

  std::optional<Result<ListPage>> poll() override {
    const std::optional<Result<void>> end = advance();
    if (damage_) return fail(*std::move(damage_));
    if (decoder_.columns()) *columns_ = decoder_.columns();
    if (!end) return std::nullopt;
    if (!*end) return fail(*end);
    Result<ListPage> page = decoder_.finish();
    if (decoder_.columns()) *columns_ = decoder_.columns();
    return page;
  }

  std::optional<std::string_view> continue_token() const override {
    return decoder_.continue_token();
  }

  Clock::Mono last_byte() const override { return ApiExchange::last_byte(); }

 private:
  bool on_body(std::string_view bytes) override {
    Result<void> fed = decoder_.feed(bytes);
    if (!fed) damage_ = std::move(fed).error();
    count();
    return !damage_;
  }
  void count() {
    counter_->add(decoder_.items() - std::exchange(counted_, decoder_.items()));
    const std::int64_t remaining = decoder_.remaining_items();
    if (first_page_ > 0 && remaining > 0) {
      counter_->set_total(static_cast<std::uint64_t>(std::exchange(first_page_, 0)) +
                          static_cast<std::uint64_t>(remaining));
    }
  }

  std::optional<Error> damage_;
  std::shared_ptr<const TableColumns>* columns_;
  ListCounter* counter_;
  std::int64_t first_page_;  ///< the limit of a request for the first page; 0 for other pages
  std::size_t counted_ = 0;
  ListDecoder decoder_;
};

class HttpWatchCall final : public WatchCall, private ApiExchange {
 public:
  HttpWatchCall(HttpTransport& transport, RequestAuthorizer* authorizer, ApiRequest request,
                DecodeOptions options, std::shared_ptr<const TableColumns>& columns,
                std::string description, ListCounter* counter)
      : ApiExchange(transport, authorizer, std::move(request)),
        description_(std::move(description)),
        counter_(counter),
        columns_(&columns),
        decoder_(std::move(options)) {}
  ~HttpWatchCall() override {
    if (decoder_.columns()) *columns_ = decoder_.columns();
  }

  WatchPoll poll() override {
    if (opened_) {
      if (std::optional<WatchPoll> next = decode()) return *std::move(next);
    }
    if (!end_) end_ = advance();
    if (!opened_ && accepted()) {
      opened_ = true;
      return WatchOpened();
    }
    if (opened_) {
      if (std::optional<WatchPoll> next = decode()) return *std::move(next);
    }
    if (end_) return ended();
    return WatchPending();
  }

  Clock::Mono last_byte() const override { return ApiExchange::last_byte(); }

 private:
  std::optional<WatchPoll> decode() {
    Result<std::optional<WatchEvent>> next = decoder_.next();
    if (!next) return std::move(next).error();
    if (!*next) {
      backlog_ = 0;
      return std::nullopt;
    }
    if (counter_ != nullptr) count(**next);
    return **std::move(next);
  }

  void count(const WatchEvent& event) {
    if (event.initial_events_end) {
      counter_ = nullptr;
    } else {
      counter_->add(1);
    }
  }

  /// Treats a broken stream like one that ended, because the server sends the incomplete event
  /// again in the next watch (client-go: StreamWatcher).
  WatchPoll ended() {
    const bool is_damaged = !*end_ && end_->error().kind == ErrorKind::protocol;
    if (!opened_ || is_damaged) return std::move(*end_).error();
    if (!*end_ || decoder_.mid_event()) {
      log::verbose(4, "{}: watch ended early: {}", description_,
                   *end_ ? "an event is incomplete" : end_->error().message);
    }
    return WatchClosed();
  }

  bool on_body(std::string_view bytes) override {
    backlog_ += bytes.size();
    decoder_.feed(bytes);
    return true;
  }
  bool is_full() const override { return backlog_ > kBacklogBytes; }

  std::string description_;
  ListCounter* counter_;  ///< set only until a streaming list is complete
  std::shared_ptr<const TableColumns>* columns_;
  bool opened_ = false;
  std::size_t backlog_ = 0;  ///< bytes fed to decoder_ since it last had no complete event
  std::optional<Result<void>> end_;
  WatchDecoder decoder_;
};

/// Returns whether a request that failed with `error` should be sent again.
using Retry = std::function<bool(const Error& error)>;

/// A list or watch call whose request is sent again when it fails, if `retry` returns true.
template <class Call>
class Retried : public Call {
 public:
  Retried(std::function<std::unique_ptr<Call>()> make, Retry retry)
      : make_(std::move(make)), retry_(std::move(retry)), call_(make_()) {}
  Clock::Mono last_byte() const override { return call_->last_byte(); }

 protected:
  const std::function<std::unique_ptr<Call>()> make_;
  const Retry retry_;
  std::unique_ptr<Call> call_;
};

class RetriedList final : public Retried<ListCall> {
 public:
  using Retried::Retried;
  std::optional<Result<ListPage>> poll() override {
    for (;;) {
      std::optional<Result<ListPage>> page = call_->poll();
      if (!page || *page || !retry_(page->error())) return page;
      call_ = make_();
    }
  }
  std::optional<std::string_view> continue_token() const override {
    return call_->continue_token();
  }
};

class RetriedWatch final : public Retried<WatchCall> {
 public:
  using Retried::Retried;
  WatchPoll poll() override {
    for (;;) {
      WatchPoll next = call_->poll();
      const Error* const error = std::get_if<Error>(&next);
      if (error == nullptr || !retry_(*error)) return next;
      call_ = make_();
    }
  }
};

/// Returns whether the error `message` of a server means that field selectors cannot use `field`
/// (apimachinery: DefaultMetaV1FieldSelectorConversion, and the conversion functions of each type).
bool says_unsupported(std::string_view message, std::string_view field) {
  return message.ends_with(fmt::format("field label not supported: {}", field)) ||
         message.find(fmt::format("\"{}\" is not a known field selector", field)) !=
             std::string_view::npos;
}

Representation with_document(Representation representation) {
  if (representation == Representation::table) return Representation::table_with_object;
  return representation == Representation::metadata ? Representation::object : representation;
}

/// Returns the Accept header. A server that does not support the representation sends plain JSON.
std::string accept_of(const HttpSource& source, bool list) {
  std::string accept = "application/json";
  if (source.representation == Representation::metadata) {
    accept += list ? ";as=PartialObjectMetadataList" : ";as=PartialObjectMetadata";
  } else if (source.representation != Representation::object) {
    accept += ";as=Table";
  }
  if (source.representation != Representation::object) accept += ";v=v1;g=meta.k8s.io";
  if (!source.needs_manager && !source.keep_managed_fields) {
    accept += ";drop=metadata.managedFields";
  }
  return accept.contains(';') ? accept + ",application/json" : accept;
}

std::string_view include_object_of(Representation representation) {
  if (representation == Representation::table) return "Metadata";
  if (representation == Representation::table_with_object) return "Object";
  return {};
}

void join_selector(std::string& selector, std::string_view more) {
  if (more.empty()) return;
  if (!selector.empty()) selector += ',';
  selector += more;
}

/// Returns what `source` has set otherwise than by default, except the selectors and the form.
std::string variant_of(const HttpSource& source) {
  std::string variant;
  if (source.representation == Representation::metadata) variant = "metadata";
  if (source.representation == Representation::table) variant = "table";
  if (source.representation == Representation::table_with_object) variant = "table with object";
  if (source.keep_managed_fields) variant += " managedFields";
  if (!source.needs_manager) variant += " no manager";
  // Two trims may remove the same fields, but cannot be compared.
  if (source.trim) variant += fmt::format(" trim {}", fmt::ptr(source.trim.get()));
  return variant;
}

InformerIdentity identity_of(const HttpSource& source) {
  return {source.type.gvr,       source.ns,   source.label_selector,
          source.field_selector, source.form, variant_of(source)};
}

}  // namespace

Result<std::unique_ptr<HttpListerWatcher>> HttpListerWatcher::create(
    const ClientConfig& config, const ProxyEnvironment& proxies,
    std::shared_ptr<RequestAuthorizer> authorizer, HttpSource source, Clock& clock) {
  Result<std::string> path = resource_path(source.type.gvr, source.ns);
  if (!path) return fail(path);
  if (!source.name.empty()) {
    const Result<std::string> named = resource_path(source.type.gvr, source.ns, source.name);
    if (!named) return fail(named);
  }
  Result<std::unique_ptr<HttpTransport>> transport = HttpTransport::create(config, proxies, clock);
  if (!transport) return fail(transport);
  if (!source.name.empty()) select_name(source.field_selector, source.name);
  return std::unique_ptr<HttpListerWatcher>(new HttpListerWatcher(
      *std::move(transport), std::move(authorizer), std::move(source), *std::move(path), config));
}

HttpListerWatcher::HttpListerWatcher(std::unique_ptr<HttpTransport> transport,
                                     std::shared_ptr<RequestAuthorizer> authorizer,
                                     HttpSource source, std::string path,
                                     const ClientConfig& config)
    : transport_(std::move(transport)),
      authorizer_(std::move(authorizer)),
      source_(std::move(source)),
      path_(std::move(path)),
      gzip_(wants_compression(config)),
      list_silence_(config.silence_limit()),
      identity_(identity_of(source_)) {}

std::optional<InformerIdentity> HttpListerWatcher::identity() const { return identity_; }

ApiRequest HttpListerWatcher::request(std::string_view verb) const {
  return {.path = path_,
          .verb = verb,
          .resource = source_.type.gvr.group_resource(),
          .name = source_.name,
          .shows_warnings = source_.shows_warnings};
}

ListOptions HttpListerWatcher::with_source_selectors(const ListOptions& options) const {
  ListOptions joined = options;
  join_selector(joined.label_selector, source_.label_selector);
  join_selector(joined.field_selector, source_.field_selector);
  return joined;
}

DecodeOptions HttpListerWatcher::decode_options(bool lists) const {
  DecodeOptions options;
  options.form = source_.form;
  options.keep_managed_fields = source_.keep_managed_fields;
  options.writers = source_.needs_manager;
  options.trim = source_.trim;
  if (has_dropped_fields_) options.selects = source_.selects;
  options.api_version = source_.type.api_version();
  options.kind = source_.type.kind;
  options.columns = columns_;
  if (lists) options.held = held_;
  return options;
}

bool HttpListerWatcher::drop_unsupported_field(const Error& error) {
  if (!error.status || error.status->code != 400) return false;
  const Result<FieldSelector> selector = FieldSelector::parse(source_.field_selector);
  if (!selector) return false;
  const auto& all = selector->requirements();
  const auto refused = std::ranges::find_if(all, [&](const FieldRequirement& requirement) {
    return says_unsupported(error.status->message, requirement.field);
  });
  if (refused == all.end()) return false;
  const std::string field = refused->field;
  source_.field_selector.clear();
  for (const FieldRequirement& requirement : all) {
    if (requirement.field == field) {
      source_.on_unsupported_field(requirement);
    } else {
      join_selector(source_.field_selector,
                    fmt::format("{}{}{}", requirement.field, requirement.equal ? "=" : "!=",
                                escape_field_value(requirement.value)));
    }
  }
  has_dropped_fields_ = true;
  source_.representation = with_document(source_.representation);
  return true;
}

HttpListerWatcher::~HttpListerWatcher() = default;

std::uint64_t HttpListerWatcher::bytes_received() const { return transport_->bytes_received(); }

std::uint64_t HttpListerWatcher::bytes_decoded() const { return transport_->bytes_decoded(); }

std::unique_ptr<ListCall> HttpListerWatcher::list(const ListOptions& options, ListSink& sink) {
  if (!source_.on_unsupported_field) return list_once(options, sink);
  return std::make_unique<RetriedList>(
      [this, options, &sink] { return list_once(options, sink); },
      [this](const Error& error) { return drop_unsupported_field(error); });
}

std::unique_ptr<ListCall> HttpListerWatcher::list_once(const ListOptions& options, ListSink& sink) {
  ApiRequest page = request("list");
  page.query =
      list_query(with_source_selectors(options), include_object_of(source_.representation));
  page.accept = accept_of(source_, true);
  page.accept_gzip = gzip_;
  page.silence_limit = list_silence_;
  const bool is_first = options.continue_token.empty();
  if (is_first) counter_.start();
  return std::make_unique<HttpListCall>(*transport_, authorizer_.get(), std::move(page),
                                        decode_options(true), sink, columns_, counter_,
                                        is_first ? options.limit : 0);
}

std::unique_ptr<WatchCall> HttpListerWatcher::watch(const ListOptions& options) {
  if (!source_.on_unsupported_field) return watch_once(options);
  return std::make_unique<RetriedWatch>(
      [this, options] { return watch_once(options); },
      [this](const Error& error) { return drop_unsupported_field(error); });
}

std::unique_ptr<WatchCall> HttpListerWatcher::watch_once(const ListOptions& options) {
  ApiRequest stream = request("watch");
  stream.query =
      watch_query(with_source_selectors(options), include_object_of(source_.representation));
  stream.accept = accept_of(source_, false);
  stream.accept_gzip = gzip_;  // API servers compress watches from Kubernetes 1.37 on
  if (options.send_initial_events) counter_.start();
  return std::make_unique<HttpWatchCall>(*transport_, authorizer_.get(), std::move(stream),
                                         decode_options(options.send_initial_events), columns_,
                                         description(),
                                         options.send_initial_events ? &counter_ : nullptr);
}

void HttpListerWatcher::wait(Clock::Mono deadline, const std::stop_token& stop) {
  transport_->wait(deadline, stop);
}

void HttpListerWatcher::wake() { transport_->wake(); }

void HttpListerWatcher::reset_connections() { transport_->reset_connections(); }

bool HttpListerWatcher::supports_watch_list() const {
  return !source_.watch_lists || !source_.watch_lists->has_given_up(source_.type.gvr);
}

void HttpListerWatcher::give_up_watch_list() {
  if (source_.watch_lists) source_.watch_lists->give_up(source_.type.gvr);
}

bool HttpListerWatcher::prefers_watch_list() const {
  return supports_watch_list() &&
         cheapest_list(source_.server_version, source_.representation).prefers_watch_list;
}

NewestFromMemory HttpListerWatcher::newest_from_memory() const {
  return cheapest_list(source_.server_version, source_.representation).newest;
}

std::unique_ptr<ListCall> HttpListerWatcher::newest_version(ListSink& sink) {
  ListOptions options;
  options.limit = 1;
  if (!source_.name.empty()) select_name(options.field_selector, source_.name);
  ApiRequest page = request("list");
  page.query = list_query(options);
  page.accept = kMetadataListTypes;
  page.silence_limit = list_silence_;
  return std::make_unique<HttpListCall>(*transport_, authorizer_.get(), std::move(page),
                                        DecodeOptions{}, sink, other_columns_, other_counter_, 0);
}

std::string HttpListerWatcher::description() const { return source_.type.gvr.group_resource(); }

}  // namespace kinf
