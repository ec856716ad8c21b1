#include "emu/amd/smi_events.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace mockgpu::emu::amd {

SmiEvents::~SmiEvents() {
  for (const Client& client : clients_) close(client.stream);
}

int SmiEvents::open() {
  int ends[2];
  // The driver's read never waits, whatever the descriptor's flags say.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return -errno;
  fcntl(ends[0], F_SETFD, 0);  // the driver's descriptor survives an exec
  // The host counts some 768 bytes for each line: with this the driver's 8 KiB of text fit.
  const int room = 200 << 10;
  setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  const std::lock_guard lock(mutex_);
  drop_closed();
  clients_.push_back({ends[1], 0});
  return ends[0];
}

void SmiEvents::process_starts(bool tell) {
  const std::lock_guard lock(mutex_);
  char name[16] = {};
  prctl(PR_GET_NAME, name);
  thread_ = static_cast<pid_t>(syscall(SYS_gettid));
  thread_name_ = name;
  if (tell) send(kProcessStart, fmt::format("{:x} {}", thread_, thread_name_));
}

void SmiEvents::process_ends(bool tell) {
  const std::lock_guard lock(mutex_);
  if (thread_ != 0 && tell) send(kProcessEnd, fmt::format("{:x} {}", thread_, thread_name_));
  thread_ = 0;
}

void SmiEvents::vm_fault() {
  const std::lock_guard lock(mutex_);
  if (thread_ != 0) send(kVmFault, fmt::format("{:x}:{}", thread_, thread_name_));
}

bool SmiEvents::read_masks(Client& client) {
  while (true) {
    std::uint64_t mask = 0;
    const ssize_t size = recv(client.stream, &mask, sizeof mask, 0);
    if (size <= 0) return size < 0 && errno == EAGAIN;
    if (size == sizeof mask) {
      client.mask = mask;
    } else {
      reports_.finding(Error(
          Tag::bad_request,
          fmt::format("SMI events: a mask of {} bytes was written: the driver wants 8 (EFAULT)", size)));
    }
  }
}

void SmiEvents::send(Event event, std::string_view text) {
  drop_closed();
  const std::string line = fmt::format("{:x} {}\n", static_cast<unsigned>(event), text);
  for (const Client& client : clients_) {
    if (client.mask >> (event - 1) & 1) ::send(client.stream, line.data(), line.size(), MSG_NOSIGNAL);
  }
}

void SmiEvents::drop_closed() {
  clients_.erase(std::remove_if(clients_.begin(), clients_.end(),
                                [&](Client& client) {
                                  if (read_masks(client)) return false;
                                  close(client.stream);
                                  return true;
                                }),
                 clients_.end());
}

}  // namespace mockgpu::emu::amd
