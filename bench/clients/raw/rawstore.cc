// SPDX-License-Identifier: Apache-2.0
// rawstore is floor with simdjson on-demand and a store of raw object bytes, on one thread. It
// shows the cost of scanning for the key and keeping the raw bytes, as a target for kinf.
#define main floor_main
#include "floor.c"
#undef main
#include <simdjson.h>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
using namespace simdjson;

static std::string acc;
struct Raw {
  std::unique_ptr<char[]> p;
  uint32_t n = 0;
};
static std::unordered_map<std::string, Raw> store;
static ondemand::parser parser;

static int list_acc(const char *p, size_t n) {
  acc.append(p, n);
  bytes += n;
  return 0;
}

static void put(std::string_view ns, std::string_view name, std::string_view raw) {
  static std::string key;
  key.assign(ns);
  key += '/';
  key += name;
  Raw &r = store[key];
  if (r.n != raw.size()) {
    r.p.reset(new char[raw.size()]);
    r.n = (uint32_t)raw.size();
  }
  memcpy(r.p.get(), raw.data(), raw.size());
}

static int do_line(const char *p, size_t n, size_t cap) {
  ondemand::document d = parser.iterate(p, n, cap);
  std::string_view type = d.find_field("type").get_string();
  if (type == "BOOKMARK") return 0;
  ondemand::object o = d.find_field("object").get_object();
  ondemand::object m = o.find_field("metadata").get_object();
  std::string_view name = m.find_field("name").get_string();
  std::string_view ns = m.find_field("namespace").get_string();
  std::string_view rv = m.find_field("resourceVersion").get_string();
  std::string_view raw = o.raw_json();
  put(ns, name, raw);
  if (nout > sizeof out - 1024) flush_out();
  auto a = [](std::string_view s) {
    memcpy(out + nout, s.data(), s.size());
    nout += s.size();
  };
  a("Updated ");
  a(ns);
  a("/");
  a(name);
  a(" ");
  a(rv);
  a("\n");
  if (name == "sentinel") {
    flush_out();
    return 1;
  }
  return 0;
}

static std::string part;
static int watch_acc(const char *p, size_t n) {
  const char *e = p + n;
  while (p < e) {
    const char *q = (const char *)memchr(p, '\n', (size_t)(e - p));
    if (!q) {
      part.append(p, (size_t)(e - p));
      return 0;
    }
    size_t len = (size_t)(q - p);
    int r;
    if (!part.empty()) {
      part.append(p, len);
      part.reserve(part.size() + SIMDJSON_PADDING);
      r = do_line(part.data(), part.size(), part.capacity());
      part.clear();
    } else if (q + SIMDJSON_PADDING < buf + sizeof buf) {
      r = do_line(p, len, len + SIMDJSON_PADDING);
    } else {
      part.assign(p, len);
      part.reserve(part.size() + SIMDJSON_PADDING);
      r = do_line(part.data(), part.size(), part.capacity());
      part.clear();
    }
    if (r) return 1;
    p = q + 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char host[128];
  snprintf(host, sizeof host, "%s", argv[1]);
  char *colon = strrchr(host, ':');
  struct sockaddr_in sa = {};
  sa.sin_family = AF_INET;
  sa.sin_port = htons((uint16_t)atoi(colon + 1));
  *colon = 0;
  inet_pton(AF_INET, host, &sa.sin_addr);
  *colon = ':';
  fd = socket(AF_INET, SOCK_STREAM, 0);
  int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(fd, (struct sockaddr *)&sa, sizeof sa)) {
    perror("connect");
    return 1;
  }
  std::string cont, rv;
  do {
    acc.clear();
    std::string q = "/api/v1/pods?limit=500" + (cont.empty() ? "" : "&continue=" + cont);
    if (body(request(host, q.c_str()), list_acc) != 0) return 1;
    acc.reserve(acc.size() + SIMDJSON_PADDING);
    ondemand::document d = parser.iterate(acc.data(), acc.size(), acc.capacity());
    ondemand::object m = d.find_field("metadata").get_object();
    rv = std::string(std::string_view(m.find_field("resourceVersion").get_string()));
    std::string_view c;
    cont = m.find_field("continue").get_string().get(c) ? "" : std::string(c);
    for (ondemand::object o : d.find_field("items").get_array()) {
      ondemand::object mm = o.find_field("metadata").get_object();
      std::string_view name = mm.find_field("name").get_string();
      std::string_view ns = mm.find_field("namespace").get_string();
      put(ns, name, o.raw_json());
    }
  } while (!cont.empty());
  acc = std::string();
  nout += (size_t)sprintf(out + nout, "SYNCED %zu\n", store.size());
  flush_out();
  std::string q = "/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion=" + rv;
  int r = body(request(host, q.c_str()), watch_acc);
  return r == 1 ? 0 : 1;
}
