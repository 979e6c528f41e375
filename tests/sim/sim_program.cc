// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_program.h"

#include <utility>

#include "sim/documents.h"
#include "sim/sim_handler.h"

namespace kinf::sim {
namespace {

EventOutputOptions output_options() {
  EventOutputOptions options;
  options.print.format = OutputFormat::json;
  options.mark_initial_end = true;
  return options;
}

std::unique_ptr<Storage> make_storage(StorageKind kind, StorageSetup setup) {
  switch (kind) {
    case StorageKind::recording: return make_recording_storage(std::move(setup));
    case StorageKind::state: return make_state_storage(std::move(setup));
    case StorageKind::none: break;
  }
  return nullptr;
}

}  // namespace

/// One run of the program.
struct SimProgram::Process {
  Process(int descriptor, Clock& clock)
      : writer(descriptor, &exit), output(output_options(), writer, clock, exit) {}

  ExitRequest exit;
  FileWriter writer;
  EventOutput output;
  EventHandler* printer = nullptr;
  SharedInformer* informer = nullptr;
  HandlerRegistration registration;
};

SimProgram::SimProgram(const std::string& name, const Plan& plan, const Etcd& etcd,
                       const Wire& wire, SimClock& clock, Verdict& verdict)
    : clock_(clock),
      verdict_(verdict),
      // `kinf watch` has no other queue. In others, the cache does not know its version.
      has_bookmarks_(static_cast<QueueKind>(plan.queue) == QueueKind::in_order_atomic),
      random_(plan.seed),
      lines_({.name = name,
              .red_only = plan.red_only != 0,
              .in_order = static_cast<QueueKind>(plan.queue) != QueueKind::delta},
             etcd, wire, verdict),
      storage_(make_storage(static_cast<StorageKind>(plan.storage),
                            {name, plan.red_only != 0, clock, verdict})) {}

SimProgram::~SimProgram() = default;

EarlierState SimProgram::start(EarlierState cached) {
  EarlierState known = storage_ ? storage_->open() : std::move(cached);
  State state{};
  for (const ObjectPtr& object : known.objects) {
    state.at(object_of(object->name())) = version_of(*object);
  }
  lines_.begin(state);
  return known;
}

void SimProgram::connect(SharedInformer& informer) {
  process_ = std::make_unique<Process>(lines_.descriptor(), clock_);
  process_->informer = &informer;
  process_->printer = &process_->output.handler(kSimType);
  EventHandler* handler = process_->printer;
  if (storage_ && verdict_.holds()) handler = &storage_->handler(*handler, process_->output);
  HandlerOptions options;
  options.delivery = Delivery::direct;
  Result<HandlerRegistration> added = informer.add_event_handler(*handler, options);
  verdict_.expect(added.has_value(), "handler", "the program cannot be added");
  if (added) process_->registration = std::move(*added);
}

/// As `--record` and `--bookmarks` of `kinf watch` do.
void SimProgram::on_delivered(const Delivered& delivered) {
  if (!process_) return;
  if (storage_) storage_->delivered(delivered.arrived);
  if (has_bookmarks_) process_->output.bookmark(*process_->printer, delivered);
}

void SimProgram::on_relisting(const Relisted& list) {
  if (process_ && storage_) storage_->relisting(list);
}

void SimProgram::step() {
  lines_.check();
  if (storage_ && random_.next() % 2 == 0) storage_->step(shown());
}

void SimProgram::crash(int writes) {
  lines_.check();
  process_->registration.remove();
  if (storage_) storage_->crash(writes, shown());
  process_.reset();
}

void SimProgram::lose_power(bool lies, int number) {
  lines_.check();
  process_->registration.remove();
  if (storage_) storage_->lose_power(lies, number, shown());
  process_.reset();
}

void SimProgram::fill_disk(int writes) {
  if (storage_) storage_->fill_after(writes);
}

void SimProgram::finish() {
  process_->registration.remove();
  process_->output.finish();
  lines_.check();
  if (storage_) storage_->close(shown());
  process_.reset();
}

}  // namespace kinf::sim
