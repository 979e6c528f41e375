// SPDX-License-Identifier: Apache-2.0
// The limits on what comes from outside: servers, files, arguments and clients of the sandbox. The
// section LIMITS of kinf-options(7) consists of these numbers, each followed by its comment; the
// test `documented_limits` compares the two.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

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
// Enough to say what went wrong; the body may be a page of HTML.
/// of a body that is no Status
inline constexpr std::size_t kPlainErrorBytes = 2 * kKiB;
// Enough for the longest messages of admission plugins.
/// for an error that is printed
inline constexpr std::size_t kMessageBytes = 4 * kKiB;
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
// A real one has less than 1 KiB. Parsing a larger one could take a hundred times its size.
/// for the version of the server
inline constexpr std::size_t kServerVersionBytes = 64 * kKiB;
// Real documents have a few KiB, or a few MiB with thousands of types.
/// for a cached discovery document
inline constexpr std::size_t kCachedDiscoveryBytes = 32 * kMiB;
/// for a file of manifests
inline constexpr std::size_t kManifestBytes = 64 * kMiB;
/// for config.toml
inline constexpr std::size_t kSettingsBytes = 1 * kMiB;
/// for a jq expression
inline constexpr std::size_t kExpressionBytes = 64 * kKiB;
/// for a jq program in a worker process
inline constexpr std::size_t kWorkerBytes = 384 * kMiB;
/// for its stack
inline constexpr std::size_t kWorkerStackBytes = 32 * kMiB;
// In kinf-options(7) this follows "for a jq program", so "it" is any jq program.
/// for its results for one document
inline constexpr std::size_t kResultBytes = 64 * kMiB;
/// of its document add a second
inline constexpr std::size_t kWorkerSecondBytes = 16 * kMiB;
/// for a file with an expression
inline constexpr std::size_t kExpressionFileBytes = 1 * kMiB;
/// for one version or another value in a recording
inline constexpr std::size_t kVersionBytes = 32 * kMiB;
/// for a name or another short text in a recording
inline constexpr std::size_t kRecordedTextBytes = 1 * kMiB;
/// for the samples of a recording that are in memory
inline constexpr std::size_t kSampleBytes = 32 * kMiB;
// The types of a stream must be known before its objects are printed.
/// read ahead to find the types of a stream
inline constexpr std::size_t kStreamHeadBytes = 16 * kMiB;
/// for the head of a request to the sandbox
inline constexpr std::size_t kRequestHeadBytes = 64 * kKiB;
// In kinf-options(7) this follows the previous limit, so "its" is the request's.
/// for its body
inline constexpr std::size_t kRequestBodyBytes = 3 * kMiB;
/// for the line before a chunk of it, and for its trailer
inline constexpr std::size_t kChunkLineBytes = 4 * kKiB;
// The same as kube-apiserver's.
/// for a field manager
inline constexpr std::size_t kManagerBytes = 128;
// The same as kube-apiserver's limit on the accumulated size of copies.
/// for all values that a JSON patch copies
inline constexpr std::size_t kPatchCopyBytes = 3 * kMiB;
/// for the data file of the sandbox
inline constexpr std::size_t kSandboxDataBytes = 4 * 1024 * kMiB;
/// on the way in a connection of a relay
inline constexpr std::size_t kRelayedBytes = 64 * kMiB;
/// for a regular expression
inline constexpr std::size_t kPatternBytes = 1'000;
// 100,000 items below a path of 500 names would take gigabytes.
/// for the paths of the differences between two documents
inline constexpr std::size_t kDiffPathBytes = 64 * kMiB;

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
// Owner references can form a cycle, which would have no end.
/// for owners above each other
inline constexpr int kOwnerDepth = 16;

// Real objects have about four.
/// entries of managedFields that tell who changed an object
inline constexpr std::size_t kFieldWriters = 64;
// Real types have about ten columns.
/// columns of a Table from the server
inline constexpr std::size_t kColumns = 200;
/// characters in a column of a table
inline constexpr std::size_t kColumnWidth = 1'000;
/// characters in a row of a table
inline constexpr std::size_t kRowWidth = 8'000;
// Only tables without a width, such as those in a pipe, have such cells.
/// characters in any other cell
inline constexpr std::size_t kCellCharacters = 10'000;
// A tab in a cell begins another one.
/// cells in a row of a table
inline constexpr std::size_t kCells = 1'000;
/// types in discovery
inline constexpr std::size_t kTypes = 200'000;
/// types, or sets of columns, in a recording
inline constexpr std::int64_t kRecordedTypes = 20'000;
// Five hundred sessions of a thousand informers.
/// managers, sessions, selections or gaps in a recording
inline constexpr std::int64_t kRecordedRows = 500'000;
// Each has an informer with two threads.
/// types that --all-types follows
inline constexpr std::size_t kFollowedTypes = 2'000;
// An old server is asked for each of them.
/// group versions of an old server
inline constexpr std::size_t kGroupVersions = 1'000;
/// verbs, short names or categories of a type
inline constexpr std::size_t kTypeNames = 100;
// A server may send a Status of many MB.
/// causes in an error
inline constexpr std::size_t kCauses = 100;
/// warnings in a response
inline constexpr std::size_t kWarnings = 16;
// A server may send a new text each time.
/// different warnings in a run
inline constexpr std::size_t kWarningTexts = 100;
/// values in a YAML file, aliases included
inline constexpr std::size_t kYamlValues = 500'000;
/// values in a file of manifests
inline constexpr std::size_t kManifestValues = 10'000'000;
// Each has its own informer.
/// objects in the manifests of -f
inline constexpr std::size_t kManifestObjects = 1'000;
/// pages of a type that get --tree reads
inline constexpr std::size_t kTreePages = 400;
/// states of a regular expression
inline constexpr std::size_t kPatternStates = 1'000;
// Matching one state against one byte takes up to 50 ns.
/// states of a regular expression times bytes of a text
inline constexpr std::size_t kPatternSteps = 32 * kMiB;
/// bytes more for a jq program for each byte of its document
inline constexpr std::size_t kWorkerMemoryFactor = 10;
// Objects with few combinations are not counted, see TupleLimit.
/// values in the combinations of several --by
inline constexpr std::size_t kCombinedValues = 1'000'000;
/// operations in a JSON patch for the sandbox
inline constexpr std::size_t kPatchOperations = 10'000;
// It limits the memory of the controllers.
/// pods of a StatefulSet in the sandbox
inline constexpr std::int64_t kReplicas = 100'000;
// The same as in a real API server.
/// indexes of a Job in the sandbox
inline constexpr std::int64_t kJobIndexes = 100'000;
/// times that a fault occurs
inline constexpr std::uint64_t kFaultTimes = 1'000'000;
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
/// of CPU time for a jq program in a worker process and one document
inline constexpr std::chrono::seconds kWorkerTime{1};
/// for a file that is a pipe to which nothing is written
inline constexpr std::chrono::seconds kPipeTime{4};
// A program that a user has put into `<(…)` may ask for a password.
/// for the whole of such a file
inline constexpr std::chrono::seconds kWholePipeTime{60};
/// for the latency of a fault
inline constexpr std::chrono::seconds kFaultLatency{10};
/// for a scenario
inline constexpr std::chrono::hours kScenarioTime{24 * 365};
// A hundred years: the clocks count nanoseconds in 64 bits, which last three times as long.
/// for a duration in a flag
inline constexpr std::chrono::hours kFlagTime{24 * 36500};

}  // namespace kinf::limits
