constexpr std::size_t kMostBytes = 64;
constexpr const char* kMaximum = "max";
static const int kLongest{3};
