inline constexpr std::size_t kKiB = 1024;
inline constexpr std::size_t kMiB = 1024 * kKiB;
/// for one object
inline constexpr std::size_t kObjectBytes = 64 * kMiB;
/// to connect
inline constexpr std::chrono::seconds kConnectTime{10};
