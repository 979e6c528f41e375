// SPDX-License-Identifier: Apache-2.0
// What the messages of the API look like on the wire, as far as the sandbox reads them: one a line,
// a name and its fields, `1metadata:ObjectMeta 2replicas:i?`. A line that begins with a blank goes
// on with the one before.
//
// Types: s text, i integer, b boolean, x bytes, T and U times, Q quantity, I integer or text,
// R raw object, F set of fields, or a message. `*` before: a list; `%` before: a map from text.
// `?` behind: shown if it is there, even empty or 0; else that means nothing was said. `^` behind:
// its fields are those of the message around it.
#pragma once

namespace kinf::sandbox {

extern const char* const kProtobufMessagesAToM;
extern const char* const kProtobufMessagesNToZ;

}  // namespace kinf::sandbox
