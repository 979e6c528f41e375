// SPDX-License-Identifier: Apache-2.0
// LiveInformers: two informers that watch the same pods but share nothing. Each informer has a
// handler. For `kinf demo --live`.
#include "kinf/demo/live/live_model.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "kinf/base/number_text.h"
#include "kinf/demo/live/live_handler.h"
#include "kinf/informer/shared_informer.h"

namespace kinf {
namespace {

/// Threads: not thread-safe.
class LiveInformers final : public LiveModel {
 public:
  LiveInformers() : clients_{make_client(1), make_client(2)} {}
  ~LiveInformers() override {
    for (const Client& client : clients_) client.informer->finish();
  }

  void toggle_slow() override {
    report(PicturePart::handler2, clients_.back().handler->toggle_slow()
                                      ? "Handler 2 is slow now: 3 s for each change."
                                      : "Handler 2 is fast again.");
  }

 private:
  struct Client {
    std::string name;
    PicturePart part = PicturePart::client1;
    std::unique_ptr<LiveHandler> handler;
    LiveServer* server = nullptr;  ///< owned by the informer
    std::unique_ptr<SharedInformer> informer;
    StepResult last;
  };

  bool work() override {
    return std::ranges::any_of(clients_, [this](Client& client) { return step_client(client); });
  }
  Clock::Mono next_due() const override {
    Clock::Mono due = Clock::kNever;
    for (const Client& client : clients_) {
      due = std::min({due, client.last.wake, client.handler->next_due()});
    }
    return due;
  }
  void draw(PipelinePicture& picture) const override {
    picture.flow = PictureFlow::clients;
    picture.server.requests.clear();
    std::uint64_t sent = 0;
    std::size_t stored = 0;
    for (const Client& client : clients_) {
      for (const std::string& request : client.server->requests()) {
        picture.server.requests.push_back(fmt::format("{}: {}", client.name, request));
      }
      sent += client.server->pods_sent();
      stored += client.informer->indexer().size();
    }
    picture.server.cost = fmt::format("{}, {} sent; the two stores hold {} in memory",
                                      counted(picture.server.requests.size(), "request"),
                                      counted(sent, "pod"), counted(stored, "pod"));
    picture.client1 = picture_of(clients_.front());
    picture.client2 = picture_of(clients_.back());
    picture.handler1 = clients_.front().handler->picture();
    picture.handler2 = clients_.back().handler->picture();
  }

  Client make_client(int number) {
    Client client;
    client.name = fmt::format("Informer {}", number);
    client.part = number == 1 ? PicturePart::client1 : PicturePart::client2;
    const PicturePart part = number == 1 ? PicturePart::handler1 : PicturePart::handler2;
    client.handler = std::make_unique<LiveHandler>(
        fmt::format("Handler {}", number), clock_,
        [this, part](std::string text) { say(part, std::move(text)); });
    InformerOptions options;
    options.queue = QueueKind::delta;
    options.stall_timeout = {};  // no stall timeout, because a quiet server is normal here
    options.seed = 1;            // the same delays in each run
    client.informer =
        std::make_unique<SharedInformer>(make_server(client.name), clock_, std::move(options));
    client.server = servers_.back();
    client.handler->join(*client.informer);
    (void)client.informer->begin();  // cannot fail, because it is new
    client.informer->step();         // starts the delivery to the handler
    return client;
  }
  bool step_client(Client& client) {
    const std::vector<Deltas> before = client.informer->queued_changes();
    client.handler->begin_step(before.empty());
    client.last = client.informer->step();
    if (!client.last.moved) return false;
    if (!before.empty()) {
      say(client.part, fmt::format("{} takes {} from its own queue and stores it in its own store.",
                                   client.name, before.front().front().key));
    } else if (has_moved(PicturePart::server)) {
      move(client.part);
    }
    return true;
  }
  static PipelinePicture::Handler picture_of(const Client& client) {
    const PipelinePicture::Reflector reflector =
        client.server->client(client.informer->last_sync_resource_version(), {});
    PipelinePicture::Handler picture;
    picture.title = client.name;
    picture.purpose = "a reflector, a queue and a store of its own";
    picture.activity = reflector.activity;
    picture.lines = {fmt::format("lists {}, watches {}, {} received", reflector.lists,
                                 reflector.watches, counted(client.server->pods_sent(), "pod")),
                     fmt::format("queue: {}, store: {}",
                                 counted(client.informer->queued_changes().size(), "key"),
                                 counted(client.informer->indexer().size(), "pod"))};
    return picture;
  }

  std::array<Client, 2> clients_;
};

}  // namespace

std::unique_ptr<LiveModel> make_live_informers() { return std::make_unique<LiveInformers>(); }

}  // namespace kinf
