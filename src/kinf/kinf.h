// SPDX-License-Identifier: Apache-2.0
// All public headers of kinf. Start reading at kinf/client/client.h and
// kinf/informer/shared_informer.h; doc/library.md explains them.
#pragma once

// Kubernetes objects, changes, selectors and statuses.
#include "kinf/api/api_status.h"
#include "kinf/api/event_handler.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/api/lister_watcher.h"
#include "kinf/api/object.h"
#include "kinf/api/selectors.h"

// Connecting to an API server.
#include "kinf/client/client.h"
#include "kinf/client/config_choice.h"
#include "kinf/client/credentials.h"
#include "kinf/client/discovery.h"
#include "kinf/client/http_lister_watcher.h"

// Informers.
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/informer/shared_informer_factory.h"

// Stores and queues, also for use without an informer.
#include "kinf/cache/delta_fifo.h"
#include "kinf/cache/in_order_fifo.h"
#include "kinf/cache/indexer.h"
#include "kinf/cache/store_reader.h"

// Reading values from objects.
#include "kinf/query/object_query.h"

// Work queues for controllers.
#include "kinf/workqueue/rate_limiting_queue.h"

// Logging, small programs and the version.
#include "kinf/base/log.h"
#include "kinf/base/or_exit.h"
#include "kinf/version.h"
