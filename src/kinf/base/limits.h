// SPDX-License-Identifier: Apache-2.0
// The limits on what comes from outside: servers, files, arguments and clients of the sandbox. The
// section LIMITS of kinf-options(7) consists of these numbers, each followed by its comment; the
// test `documented_limits` compares the two.
#pragma once

#include <chrono>
#include <cstddef>

namespace kinf::limits {

inline constexpr std::size_t kKiB = 1024;
inline constexpr std::size_t kMiB = 1024 * kKiB;

/// for one object, event or discovery document, also when it was compressed
inline constexpr std::size_t kDocumentBytes = 64 * kMiB;
/// for a list without its items
inline constexpr std::size_t kListEnvelopeBytes = 4 * kMiB;
/// for the body of an error
inline constexpr std::size_t kErrorBodyBytes = 64 * kKiB;
// In kinf-options(7) this follows the previous limit, so "it" is the body of an error.
/// of each text in it
inline constexpr std::size_t kErrorTextBytes = 16 * kKiB;
/// for a kubeconfig
inline constexpr std::size_t kKubeconfigBytes = 16 * kMiB;
/// for the output of a plugin
inline constexpr std::size_t kPluginOutputBytes = 1 * kMiB;
/// for the certificate authorities given to a plugin
inline constexpr std::size_t kAuthoritiesBytes = 4 * kMiB;
/// for a file with a certificate or a key
inline constexpr std::size_t kPemBytes = 1 * kMiB;
/// for a file with a token
inline constexpr std::size_t kTokenBytes = 1 * kMiB;
// The HTTP/2 library sends at most 64 KiB of headers per request. All other headers are small.
/// for all credentials in a request
inline constexpr std::size_t kCredentialsBytes = 60 * kKiB;
/// for a file of manifests
inline constexpr std::size_t kManifestBytes = 64 * kMiB;
/// for config.toml
inline constexpr std::size_t kSettingsBytes = 1 * kMiB;
/// for a jq expression
inline constexpr std::size_t kExpressionBytes = 64 * kKiB;
/// for a file with an expression
inline constexpr std::size_t kExpressionFileBytes = 1 * kMiB;
/// for one version in a recording
inline constexpr std::size_t kVersionBytes = 128 * kMiB;
/// for the head of a request to the sandbox
inline constexpr std::size_t kRequestHeadBytes = 64 * kKiB;
// In kinf-options(7) this follows the previous limit, so "its" is the request's.
/// for its body
inline constexpr std::size_t kRequestBodyBytes = 3 * kMiB;
// The same as kube-apiserver's limit on the accumulated size of copies.
/// for all values that a JSON patch copies
inline constexpr std::size_t kPatchCopyBytes = 3 * kMiB;
/// for the data file of the sandbox
inline constexpr std::size_t kSandboxDataBytes = 4 * 1024 * kMiB;
/// for a regular expression
inline constexpr std::size_t kPatternBytes = 1'000;

/// for objects that are printed
inline constexpr std::size_t kPrintedDepth = 512;
// The parser makes a recursive call for each level.
/// for filters and ranges of JSONPath inside each other
inline constexpr int kExpressionDepth = 64;
/// for YAML
inline constexpr std::size_t kYamlDepth = 100;
/// for discovery documents
inline constexpr std::size_t kDiscoveryDepth = 16;
/// for objects sent to the sandbox
inline constexpr std::size_t kRequestDepth = 200;
/// for protobuf sent to the sandbox
inline constexpr int kProtobufDepth = 40;

// Real types have about ten columns.
/// columns of a Table from the server
inline constexpr std::size_t kColumns = 200;
/// characters in a column of a table
inline constexpr std::size_t kColumnWidth = 1'000;
/// characters in a row of a table
inline constexpr std::size_t kRowWidth = 8'000;
/// types in discovery
inline constexpr std::size_t kTypes = 200'000;
/// values in a YAML file, aliases included
inline constexpr std::size_t kYamlValues = 500'000;
/// values in a file of manifests
inline constexpr std::size_t kManifestValues = 10'000'000;
/// states of a regular expression
inline constexpr std::size_t kPatternStates = 1'000;
// Matching one state against one byte takes up to 50 ns.
/// states of a regular expression times bytes of a text
inline constexpr std::size_t kPatternSteps = 32 * kMiB;
/// operations in a JSON patch for the sandbox
inline constexpr std::size_t kPatchOperations = 10'000;
/// watches of the sandbox
inline constexpr std::size_t kWatches = 2'048;
/// connections of a relay
inline constexpr std::size_t kRelayConnections = 2'500;

/// to connect and for the TLS handshake
inline constexpr std::chrono::seconds kConnectTime{10};
// client-go has no time limit for plugins.
/// for a plugin
inline constexpr std::chrono::minutes kPluginTime{2};
/// for a plugin that may ask the user
inline constexpr std::chrono::minutes kInteractivePluginTime{10};
/// for Retry-After
inline constexpr std::chrono::minutes kRetryAfter{5};
/// for a file that is a pipe to which nothing is written
inline constexpr std::chrono::seconds kPipeTime{10};

}  // namespace kinf::limits
