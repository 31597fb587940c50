// SPDX-License-Identifier: Apache-2.0
// The one way in which this project writes files, and the one in which it reads them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace odonata {

/// A file that is written whole or not at all: a regular file first under a temporary name beside it, which is then
/// renamed. A device or a pipe is written in place, a symbolic link is followed, a folder is refused. What could not be
/// written or closed is an Error that names the file.
class OutputFile {
 public:
  /// Throws Error when the file could not be written, so that nobody waits for a result that is lost. An empty path
  /// means: no file is wanted, the write functions do nothing then.
  explicit OutputFile(std::string path);
  void write(std::string_view text) const;
  /// The same for what is too large for the memory: `fill` writes the content.
  void write_with(const std::function<void(std::ostream&)>& fill) const;
  /// Makes a file that somebody else has written, on the same disk, this one. Throws Error.
  void take(const std::string& whole) const;
  bool wanted() const { return !path_.empty(); }
  const std::string& path() const { return path_; }
  /// A file that gets its name when it is whole, and where it is written until then: for a FilePart.
  bool regular() const { return !direct_; }
  std::string place() const { return direct_ ? path_ : temporary(); }

 private:
  std::string temporary() const;
  void keep_mode(const std::string& place) const;
  std::string path_;
  bool direct_ = false;  // a device or pipe: nothing to rename
};

class Descriptor;  // of files.cpp: where a stream ends

/// A part of a file that an OutputFile of another process has begun, at its place().
class FilePart {
 public:
  /// Throws Error when it is not there.
  explicit FilePart(const std::string& place);
  ~FilePart();
  FilePart(const FilePart&) = delete;
  FilePart& operator=(const FilePart&) = delete;
  std::ostream& stream() { return stream_; }
  /// Throws Error when something could not be written.
  void close();

 private:
  std::string place_;
  std::unique_ptr<Descriptor> file_;
  std::ostream stream_;
};

/// A file for libraries that write to a path and tell nobody when that fails (waveforms): in a folder of its own beside
/// an OutputFile, which takes it when it is whole.
class ScratchFile {
 public:
  /// `name`: the last part of the path. Throws Error.
  ScratchFile(const OutputFile& target, const std::string& name);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::string& path() const { return path_; }
  /// Throws Error when the disk or a limit of the system leaves less room than such a library may need for `bytes`
  /// more; of many it is asked for what may come at once. Ask before it begins, while it writes, and before it ends.
  void expect_room(uint64_t bytes) const;
  /// Throws Error when there is no room any more, or the OutputFile cannot be written.
  void finish() const;

 private:
  const OutputFile& target_;
  std::string folder_, path_;
};

/// Whether there is something at a path; true, too, where the system does not say: reading it tells why.
bool may_exist(const std::string& path);

/// Reads a whole file. Throws Error that names it when it cannot be read or has more than `limit` bytes.
std::string read_text(const std::string& path, size_t limit = 256u << 20);

}  // namespace odonata
