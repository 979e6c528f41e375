// SPDX-License-Identifier: Apache-2.0
// The minimum cost of a client with libcurl: loads and initializes the library, then exits.
#include <curl/curl.h>

int main(void) { return (int)curl_global_init(CURL_GLOBAL_DEFAULT); }
