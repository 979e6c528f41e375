// SPDX-License-Identifier: Apache-2.0
// Checks that something identifies the user to the server. Where nothing does, kubectl asks for a
// user name. kinf does not ask: it continues as system:anonymous if the kubeconfig says so.
#pragma once

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"
#include "kinf/client/kubeconfig.h"

namespace kinf {

/// Checks the user of `config`, which was built from `files`. A context without a user, or with a
/// user without any credentials, is system:anonymous. Errors: usage, if nothing identifies the user
/// and the user does not exist, has only a password, or has an empty token. Servers without https
/// get no credentials, so every user is accepted. Threads: any.
Result<> check_user_is_identified(const Kubeconfig& files, const ClientConfig& config);

}  // namespace kinf
