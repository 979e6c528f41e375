// SPDX-License-Identifier: Apache-2.0
// What the text rules must refuse, line by line. Comments may say getenv.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

int main() {
  std::this_thread::sleep_for(std::chrono::seconds(1));
  std::cout << std::chrono::system_clock::now().time_since_epoch().count() << rand();
  return std::getenv("HOME") == nullptr;  // getenv
}
