#include "emu/capi/machine.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>
#include <utility>

namespace mockgpu::capi {
namespace {

constexpr std::size_t kPage = 4096;
/// Programs have no memory from here on (x86-64, four levels of page tables).
constexpr std::uint64_t kAddressEnd = std::uint64_t{1} << 47;

}  // namespace

Pages::Pages(std::size_t bytes) : size_((bytes + kPage - 1) / kPage * kPage) {
  void* const memory =
      ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw Error(Tag::out_of_memory, fmt::format("no {} bytes of host memory for the machine", size_));
  data_ = static_cast<std::byte*>(memory);
}

Pages::~Pages() {
  if (data_) ::munmap(data_, size_);
}

Pages::Pages(Pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

mockgpu_object& load(mockgpu_machine& machine, const void* bytes, std::uint64_t size) {
  using namespace isa::object;
  CodeObject code = CodeObject::parse({static_cast<const std::byte*>(bytes), static_cast<std::size_t>(size)},
                                      machine.target);
  const ImageExtent extent = image_extent(code);
  auto object = std::make_unique<mockgpu_object>(
      mockgpu_object{std::move(code), extent, Pages(static_cast<std::size_t>(extent.size))});
  const Image image = load_image(object->code, object->memory.address());
  std::memcpy(object->memory.data(), image.bytes().data(), image.bytes().size());
  machine.objects.push_back(std::move(object));
  mockgpu_object& loaded = *machine.objects.back();
  machine.map(loaded.memory.address(), loaded.memory.size(), emu::kRead | emu::kWrite | emu::kExecute,
              "code object");
  return loaded;
}

}  // namespace mockgpu::capi

void mockgpu_machine::map(std::uint64_t address, std::uint64_t bytes, unsigned rights, std::string name) {
  using mockgpu::Error, mockgpu::Tag, mockgpu::capi::kAddressEnd;
  if (bytes == 0 || address == 0 || address >= kAddressEnd || bytes > kAddressEnd - address)
    throw Error(Tag::bad_usage, fmt::format("a mapping of {} bytes at {:#x}", bytes, address));
  if (!space->map({address, address + bytes, reinterpret_cast<std::byte*>(address),
                   static_cast<std::uint8_t>(rights), ++allocations, std::move(name)})) {
    throw Error(Tag::bad_usage, fmt::format("[{:#x}, +{}) overlaps what is mapped", address, bytes));
  }
}

void mockgpu_machine::grow(mockgpu::capi::Pages& memory, std::size_t bytes, const char* name) {
  if (bytes <= memory.size()) return;
  mockgpu::capi::Pages larger(bytes);
  map(larger.address(), larger.size(), mockgpu::emu::kRead | mockgpu::emu::kWrite, name);
  if (memory.data()) space->unmap(memory.address());
  memory = std::move(larger);
}
