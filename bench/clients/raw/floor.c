// SPDX-License-Identifier: Apache-2.0
// floor is the lower bound for a list and watch client. It reads the same bytes and does only
// HTTP/1.1 framing, memchr for newlines, and one short line per event.
//   floor HOST:PORT|http://HOST:PORT|https://HOST:PORT [--watchlist] [--limit N] [--path
//   /api/v1/pods]     https needs floor-tls; HOST is an IPv4 address
// Prints "SYNCED <items-or-bytes>", then "Updated <k>" per event; exits on the first ADDED after
// the sync.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef WITH_TLS
#include <openssl/ssl.h>
#endif

static int fd;
static int use_tls;
#ifdef WITH_TLS
static SSL *ssl;
#endif
static char buf[1 << 20];
static size_t have, at;  // buf[at..have) is unread
static char out[1 << 20];
static size_t nout;

static void flush_out(void) {
  size_t k = 0;
  while (k < nout) {
    ssize_t w = write(1, out + k, nout - k);
    if (w < 0) {
      if (errno == EINTR) continue;
      exit(3);
    }
    k += (size_t)w;
  }
  nout = 0;
}

static int fill(void) {  // returns 0 at the end
  flush_out();
  at = 0;
  ssize_t r;
#ifdef WITH_TLS
  if (use_tls)
    r = SSL_read(ssl, buf, sizeof buf);
  else
#endif
    do r = read(fd, buf, sizeof buf);
    while (r < 0 && errno == EINTR);
  if (r <= 0) {
    have = 0;
    return 0;
  }
  have = (size_t)r;
  return 1;
}

static int getbyte(void) {
  if (at == have && !fill()) return -1;
  return (unsigned char)buf[at++];
}

static int getline_(char *l, size_t cap) {
  size_t n = 0;
  for (;;) {
    int c = getbyte();
    if (c < 0) return -1;
    if (c == '\n') break;
    if (c != '\r' && n + 1 < cap) l[n++] = (char)c;
  }
  l[n] = 0;
  return (int)n;
}

static void xsend(const char *s) {
  size_t n = strlen(s);
#ifdef WITH_TLS
  if (use_tls) {
    if (SSL_write(ssl, s, (int)n) != (int)n) exit(4);
    return;
  }
#endif
  if (write(fd, s, n) != (ssize_t)n) exit(4);
}

// request + headers; returns content length, or -1 for chunked
static long long request(const char *host, const char *path) {
  char q[2048], l[4096];
  snprintf(q, sizeof q, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: application/json\r\n\r\n", path,
           host);
  xsend(q);
  long long len = 0;
  if (getline_(l, sizeof l) < 0 || !strstr(l, " 200")) {
    fprintf(stderr, "bad response: %s\n", l);
    exit(5);
  }
  while (getline_(l, sizeof l) > 0) {
    if (!strncasecmp(l, "content-length:", 15)) len = atoll(l + 15);
    if (!strncasecmp(l, "transfer-encoding:", 18)) len = -1;
  }
  return len;
}

typedef int (*sink)(const char *p, size_t n);

// body: passes the payload bytes to f until the end; f returns 1 to stop early
static int body(long long len, sink f) {
  if (len >= 0) {
    while (len > 0) {
      if (at == have && !fill()) return -1;
      size_t n = have - at;
      if ((long long)n > len) n = (size_t)len;
      const char *p = buf + at;
      at += n;
      len -= (long long)n;
      if (f(p, n)) return 1;
    }
    return 0;
  }
  for (;;) {
    char l[64];
    if (getline_(l, sizeof l) < 0) return -1;
    size_t c = strtoul(l, 0, 16);
    if (c == 0) {
      getline_(l, sizeof l);
      return 0;
    }
    while (c > 0) {
      if (at == have && !fill()) return -1;
      size_t n = have - at;
      if (n > c) n = c;
      const char *p = buf + at;
      at += n;
      c -= n;
      if (f(p, n)) return 1;
    }
    getline_(l, sizeof l);
  }
}

static uint64_t bytes, lines, evs;
static char head[4096];
static size_t nhead;
static int seen_sync;

static int list_sink(const char *p, size_t n) {
  if (nhead < sizeof head - 1) {
    size_t k = sizeof head - 1 - nhead;
    if (k > n) k = n;
    memcpy(head + nhead, p, k);
    nhead += k;
  }
  bytes += n;
  for (const char *e = p + n; (p = (const char *)memchr(p, '\n', (size_t)(e - p))); p++) lines++;
  return 0;
}

static char hold[32];
static size_t nhold;
static void emit(void) {
  if (nout > sizeof out - 64) flush_out();
  evs++;
  memcpy(out + nout, "Updated ", 8);
  nout += 8;
  char d[20];
  int k = 0;
  for (uint64_t v = evs; v; v /= 10) d[k++] = (char)('0' + v % 10);
  while (k) out[nout++] = d[--k];
  out[nout++] = '\n';
}

// watch lines: look at the first bytes (the type) and find the end
static int watch_sink(const char *p, size_t n) {
  bytes += n;
  const char *e = p + n;
  while (p < e) {
    if (nhold < 12) {  // {"type":"X
      size_t k = 12 - nhold;
      if (k > (size_t)(e - p)) k = (size_t)(e - p);
      memcpy(hold + nhold, p, k);
      nhold += k;
      p += k;
      if (nhold < 12) break;
    }
    const char *q = (const char *)memchr(p, '\n', (size_t)(e - p));
    if (!q) break;
    char t = hold[9], t2 = hold[10];
    nhold = 0;
    p = q + 1;
    lines++;
    if (t == 'B') {  // BOOKMARK
      if (!seen_sync) {
        seen_sync = 1;
        nout += (size_t)sprintf(out + nout, "SYNCED %llu\n", (unsigned long long)(lines - 1));
      }
      continue;
    }
    if (!seen_sync) continue;
    emit();
    if (t == 'A' && t2 == 'D') {
      flush_out();
      return 1;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char host[128];
  const char *a = argv[1];
  if (!strncmp(a, "http://", 7)) a += 7;
  if (!strncmp(a, "https://", 8)) {
    a += 8;
    use_tls = 1;
  }
  snprintf(host, sizeof host, "%s", a);
  int wl = 0, limit = 0;
  const char *path = "/api/v1/pods";
  for (int i = 2; i < argc; i++) {
    if (!strcmp(argv[i], "--watchlist"))
      wl = 1;
    else if (!strcmp(argv[i], "--limit") && i + 1 < argc)
      limit = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--path") && i + 1 < argc)
      path = argv[++i];
  }
  char *colon = strrchr(host, ':');
  struct sockaddr_in sa = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(colon + 1))};
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
#ifdef WITH_TLS
  if (use_tls) {
    SSL_CTX *cx = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_mode(cx, SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_read_ahead(cx, 1);
    ssl = SSL_new(cx);
    SSL_set_fd(ssl, fd);
    if (SSL_connect(ssl) != 1) {
      fprintf(stderr, "tls\n");
      return 1;
    }
  }
#else
  if (use_tls) return 2;
#endif
  char q[4096], rv[64] = "";
  if (wl) {
    snprintf(q, sizeof q,
             "%s?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch="
             "NotOlderThan",
             path);
  } else {
    char cont[512] = "";
    do {
      nhead = 0;
      if (limit)
        snprintf(q, sizeof q, "%s?limit=%d%s%s", path, limit, *cont ? "&continue=" : "", cont);
      else
        snprintf(q, sizeof q, "%s", path);
      if (body(request(host, q), list_sink) != 0) {
        fprintf(stderr, "short list\n");
        return 1;
      }
      head[nhead] = 0;
      char *r = strstr(head, "\"resourceVersion\":\"");
      if (!r) return 6;
      sscanf(r + 19, "%63[0-9]", rv);
      char *m = strstr(head, "\"items\""), *c = strstr(head, "\"continue\":\"");
      cont[0] = 0;
      if (c && m && c < m) sscanf(c + 12, "%511[^\"]", cont);
    } while (*cont);
    nout += (size_t)sprintf(out + nout, "SYNCED %llu\n", (unsigned long long)bytes);
    flush_out();
    seen_sync = 1;
    snprintf(q, sizeof q, "%s?watch=true&allowWatchBookmarks=true&resourceVersion=%s", path, rv);
  }
  int r = body(request(host, q), watch_sink);
  fprintf(stderr, "bytes %llu lines %llu events %llu end %d\n", (unsigned long long)bytes,
          (unsigned long long)lines, (unsigned long long)evs, r);
  return r == 1 ? 0 : 1;
}
