// SPDX-License-Identifier: Apache-2.0
// The least that a client on libcurl costs: it is loaded and made ready, and that is all.
#include <curl/curl.h>

int main(void) { return (int)curl_global_init(CURL_GLOBAL_DEFAULT); }
