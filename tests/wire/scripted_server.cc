// SPDX-License-Identifier: Apache-2.0
#include "wire/scripted_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace kinf::test {
namespace {

int listen_on_loopback(int& port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (listener < 0 || bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    std::perror("scripted server");
    std::abort();
  }
  port = ntohs(address.sin_port);
  return listener;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return std::string(text);
}

SeenRequest parse_head(std::string_view head) {
  SeenRequest request;
  const std::string_view line = head.substr(0, head.find("\r\n"));
  const std::size_t first = line.find(' ');
  const std::size_t second = line.find(' ', first + 1);
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, second - first - 1);
  head.remove_prefix(std::min(line.size() + 2, head.size()));
  while (!head.empty()) {
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view header = head.substr(0, end);
    const std::size_t colon = std::min(header.find(':'), header.size());
    std::string name(header.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    request.headers[name] = trimmed(header.substr(std::min(colon + 1, header.size())));
    head.remove_prefix(std::min(end + 2, head.size()));
  }
  return request;
}

}  // namespace

void ServerConnection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void ServerConnection::answer(int status, std::string_view content_type, std::string_view body,
                              std::string_view headers) {
  std::string text = "HTTP/1.1 " + std::to_string(status) +
                     " Scripted\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  if (!content_type.empty()) text.append("Content-Type: ").append(content_type).append("\r\n");
  send(text.append(headers).append("\r\n").append(body));
}

void ServerConnection::begin(int status, std::string_view content_type, std::string_view headers) {
  std::string text = "HTTP/1.1 " + std::to_string(status) +
                     " Scripted\r\nTransfer-Encoding: chunked\r\nContent-Type: ";
  send(text.append(content_type).append("\r\n").append(headers).append("\r\n"));
}

void ServerConnection::chunk(std::string_view bytes) {
  char size[24];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  send(std::string(size).append(bytes).append("\r\n"));
}

void ServerConnection::end() { send("0\r\n\r\n"); }

void ServerConnection::hold() {
  char byte = 0;
  while (recv(socket_, &byte, 1, 0) > 0) {
  }
}

void ServerConnection::reset() {
  const linger hard{1, 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  closing_ = true;
}

ScriptedServer::ScriptedServer(Script script)
    : script_(std::move(script)), listener_(listen_on_loopback(port_)) {
  listen(listener_, 64);
  acceptor_ = std::jthread([this] { accept_loop(); });
}

ScriptedServer::~ScriptedServer() {
  std::list<std::jthread> workers;
  {
    MutexLock lock(mu_);
    stopping_ = true;
    for (const int socket : open_) shutdown(socket, SHUT_RDWR);
  }
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  {
    MutexLock lock(mu_);
    workers = std::move(workers_);
  }
  workers.clear();  // joins
  close(listener_);
}

std::vector<SeenRequest> ScriptedServer::requests() const {
  MutexLock lock(mu_);
  return requests_;
}

void ScriptedServer::accept_loop() {
  for (int number = 0;; ++number) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    MutexLock lock(mu_);
    if (stopping_) {
      close(socket);
      return;
    }
    open_.push_back(socket);
    workers_.emplace_back([this, socket, number] { serve(socket, number); });
  }
}

void ScriptedServer::serve(int socket, int number) {
  ServerConnection connection(socket);
  std::string pending;
  char buffer[4096];
  for (bool go_on = true; go_on && !connection.closing_;) {
    const std::size_t head_end = pending.find("\r\n\r\n");
    if (head_end == std::string::npos) {
      const ssize_t got = recv(socket, buffer, sizeof buffer, 0);
      if (got <= 0) break;
      pending.append(buffer, static_cast<std::size_t>(got));
      continue;
    }
    SeenRequest request = parse_head(std::string_view(pending).substr(0, head_end));
    request.connection = number;
    pending.erase(0, head_end + 4);
    {
      MutexLock lock(mu_);
      requests_.push_back(request);
    }
    go_on = script_(connection, request);
  }
  MutexLock lock(mu_);
  std::erase(open_, socket);
  close(socket);
}

int unused_port() {
  int port = 0;
  close(listen_on_loopback(port));
  return port;
}

}  // namespace kinf::test
