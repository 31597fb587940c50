// SPDX-License-Identifier: Apache-2.0
#include "tb/harness/files.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <streambuf>
#include <vector>

#include "models/common/error.h"

namespace odonata {

namespace fs = std::filesystem;

namespace {

// What a writer of waveforms may need until it is asked again, at most: it collects 128 MiB of changes, then writes
// them. What it always needs (names of the signals), and for its parts in the C library's folder (times, values).
constexpr uint64_t kRoom = 160u << 20, kLeastRoom = 16u << 20, kRoomOfParts = 4u << 20;

[[noreturn]] void cannot_write(const std::string& path, const std::string& why) {
  throw Error("output '" + path + "' cannot be written: " + why);
}
[[noreturn]] void cannot_read(const std::string& path, const std::string& why) {
  throw Error("'" + path + "' cannot be read: " + why);
}

}  // namespace

/// A file descriptor as the end of a stream; keeps the first error.
class Descriptor final : public std::streambuf {
 public:
  explicit Descriptor(const std::string& path, int flags)
      : file_(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666)) {
    if (file_ < 0) error_ = errno;
  }
  ~Descriptor() override { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int error() const { return error_; }
  /// Writes what is left and closes; returns the first error of all, or 0.
  int close() {
    if (file_ < 0) return error_;
    sync();
    if (::close(file_) != 0 && error_ == 0) error_ = errno;
    file_ = -1;
    return error_;
  }

 protected:
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    if (waiting_.size() + static_cast<size_t>(size) > kMost) sync();
    if (static_cast<size_t>(size) > kMost) return put(data, static_cast<size_t>(size)) ? size : 0;
    waiting_.insert(waiting_.end(), data, data + size);
    return error_ == 0 ? size : 0;
  }
  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
    if (sync() != 0) return {off_type(-1)};
    const int whence = from == std::ios_base::beg ? SEEK_SET : from == std::ios_base::cur ? SEEK_CUR : SEEK_END;
    return {::lseek(file_, offset, whence)};
  }
  pos_type seekpos(pos_type position, std::ios_base::openmode mode) override {
    return seekoff(off_type(position), std::ios_base::beg, mode);
  }
  int sync() override {
    const bool good = put(waiting_.data(), waiting_.size());
    waiting_.clear();
    return good ? 0 : -1;
  }

 private:
  static constexpr size_t kMost = 1u << 16;

  bool put(const char* data, size_t size) {
    while (size > 0 && error_ == 0) {
      const ssize_t written = ::write(file_, data, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) error_ = errno;
      data += std::max<ssize_t>(written, 0);
      size -= static_cast<size_t>(std::max<ssize_t>(written, 0));
    }
    return error_ == 0;
  }

  int file_, error_ = 0;
  std::vector<char> waiting_;
};

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  if (path_ == "-") cannot_write(path_, "the standard output is /dev/stdout, a file of that name ./-");
  std::error_code ignored;
  const fs::file_status status = fs::status(path_, ignored);
  if (ignored == std::errc::too_many_symbolic_link_levels) cannot_write(path_, std::strerror(ELOOP));
  if (fs::is_directory(status)) cannot_write(path_, "it is a directory");
  direct_ = fs::exists(status) && !fs::is_regular_file(status);
  if (!direct_ && fs::is_symlink(fs::symlink_status(path_, ignored)) && path_.rfind("/dev/", 0) == 0)
    direct_ = true;  // /dev/stdout to a file
  if (direct_) {     // to open a pipe would be to wait for its reader
    if (access(path_.c_str(), W_OK) != 0) cannot_write(path_, std::strerror(errno));
    return;
  }
  if (fs::is_symlink(fs::symlink_status(path_, ignored))) {
    const fs::path link = path_,
                   target = fs::canonical(link, ignored);  // write where a link leads, do not replace the link
    path_ = (target.empty() ? link.parent_path() / fs::read_symlink(link) : target).string();
  }
  if (fs::is_regular_file(status) && access(path_.c_str(), W_OK) != 0) cannot_write(path_, std::strerror(errno));
  Descriptor probe(temporary(), O_CREAT | O_TRUNC);
  if (const int error = probe.close(); error != 0) cannot_write(path_, std::strerror(error));
  fs::remove(temporary(), ignored);
}

std::string OutputFile::temporary() const {
  const fs::path path(path_);
  return (path.parent_path() / ("." + path.filename().string() + "." + std::to_string(getpid()))).string();
}

/// Who may read the file that is there, stays.
void OutputFile::keep_mode(const std::string& place) const {
  struct stat before {};
  if (::stat(path_.c_str(), &before) == 0) ::chmod(place.c_str(), before.st_mode & 07777);
}

void OutputFile::write(std::string_view text) const {
  write_with([text](std::ostream& to) { to.write(text.data(), static_cast<std::streamsize>(text.size())); });
}

void OutputFile::write_with(const std::function<void(std::ostream&)>& fill) const {
  if (!wanted()) return;
  const std::string target = place();
  int error = 0;
  try {
    Descriptor file(target, direct_ ? O_APPEND : O_CREAT | O_TRUNC);
    std::ostream to(&file);
    fill(to);
    error = file.close();
  } catch (...) {
    if (!direct_) std::remove(target.c_str());
    throw;
  }
  if (!direct_) keep_mode(target);
  if (error == 0 && !direct_ && std::rename(target.c_str(), path_.c_str()) != 0) error = errno;
  if (error == 0) return;
  if (!direct_) std::remove(target.c_str());
  cannot_write(path_, std::strerror(error));
}

FilePart::FilePart(const std::string& place)
    : place_(place), file_(std::make_unique<Descriptor>(place, 0)), stream_(file_.get()) {
  if (const int error = file_->error(); error != 0) cannot_write(place_, std::strerror(error));
}
FilePart::~FilePart() = default;

void FilePart::close() {
  if (const int error = file_->close(); error != 0) cannot_write(place_, std::strerror(error));
}

void OutputFile::take(const std::string& whole) const {
  if (direct_) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> from(std::fopen(whole.c_str(), "rb"), std::fclose);
    if (!from) cannot_read(whole, std::strerror(errno));
    return write_with([&](std::ostream& to) {
      std::array<char, 1 << 16> block;
      for (size_t size; (size = std::fread(block.data(), 1, block.size(), from.get())) > 0;)
        to.write(block.data(), static_cast<std::streamsize>(size));
      if (std::ferror(from.get()) != 0) cannot_read(whole, std::strerror(errno));
    });
  }
  keep_mode(whole);
  if (std::rename(whole.c_str(), path_.c_str()) != 0) cannot_write(path_, std::strerror(errno));
}

ScratchFile::ScratchFile(const OutputFile& target, const std::string& name) : target_(target) {
  const fs::path parent = fs::path(target.path()).parent_path();
  std::error_code none;
  const fs::path beside = !target.regular() ? fs::temp_directory_path(none) : parent.empty() ? "." : parent;
  if (none) cannot_write(target.path(), "TMPDIR: expected a folder for temporary files");
  std::string folder = (fs::absolute(beside, none) / ".odonata-XXXXXX").string();  // a simulator may work elsewhere
  if (::mkdtemp(folder.data()) == nullptr) cannot_write(folder, std::strerror(errno));
  folder_ = folder;
  path_ = folder_ + "/" + name;
}

ScratchFile::~ScratchFile() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void ScratchFile::expect_room(uint64_t bytes) const {
  const uint64_t wanted = std::min(kRoom, kLeastRoom + bytes);
  const auto expect = [&](const std::string& where, uint64_t room, uint64_t least) {
    if (room >= least) return;
    cannot_write(target_.path(), where + ": room for " + std::to_string(room >> 20) + " MiB more, expected " +
                                     std::to_string(least >> 20) + ", for its writer does not tell when there is none");
  };
  std::error_code none;  // then there is no file yet, or a system that does not say
  const fs::space_info here = fs::space(folder_, none);
  if (!none) expect("'" + fs::path(folder_).parent_path().string() + "'", here.available, wanted);
  const fs::space_info parts = fs::space(P_tmpdir, none);
  if (!none) expect("'" P_tmpdir "'", parts.available, kRoomOfParts);
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const uint64_t size = fs::file_size(path_, none);
  expect("limit of a file's size (ulimit -f)", limit.rlim_cur - std::min<uint64_t>(none ? 0 : size, limit.rlim_cur),
         wanted);
}

void ScratchFile::finish() const {
  // Others may have filled the disk, or a quota: then this fails, too.
  Descriptor probe(folder_ + "/probe", O_CREAT | O_TRUNC);
  std::ostream(&probe) << std::string(1u << 16, ' ');
  if (const int error = probe.close(); error != 0) cannot_write(target_.path(), std::strerror(error));
  target_.take(path_);
}

bool may_exist(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) || error;
}

std::string read_text(const std::string& path, size_t limit) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) cannot_read(path, "it is a directory");
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) cannot_read(path, std::strerror(errno));
  std::string text;
  std::array<char, 1 << 16> block;
  for (size_t size; text.size() <= limit && (size = std::fread(block.data(), 1, block.size(), file)) > 0;)
    text.append(block.data(), size);
  const int error = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  if (error != 0) cannot_read(path, std::strerror(error));
  if (text.size() > limit) throw Error("'" + path + "' is too long: more than " + std::to_string(limit) + " bytes");
  return text;
}

}  // namespace odonata
