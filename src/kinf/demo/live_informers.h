// SPDX-License-Identifier: Apache-2.0
// LiveInformers: two informers of the same pods that share nothing, each with a handler, for
// `kinf demo --live`.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "kinf/demo/live_handler.h"
#include "kinf/demo/live_model.h"
#include "kinf/informer/shared_informer.h"

namespace kinf {

/// Threads: one.
class LiveInformers final : public LiveModel {
 public:
  LiveInformers();
  ~LiveInformers() override;
  LiveInformers(const LiveInformers&) = delete;
  LiveInformers& operator=(const LiveInformers&) = delete;

  void toggle_slow() override;

 private:
  struct Client {
    std::string name;
    PicturePart part = PicturePart::client1;
    std::unique_ptr<LiveHandler> handler;
    LiveServer* server = nullptr;  ///< owned by the informer
    std::unique_ptr<SharedInformer> informer;
    StepResult last;
  };

  bool work() override;
  Clock::Mono next_due() const override;
  void draw(PipelinePicture& picture) const override;

  Client make_client(int number);
  bool step_client(Client& client);
  static PipelinePicture::Handler picture_of(const Client& client);

  std::array<Client, 2> clients_;
};

}  // namespace kinf
