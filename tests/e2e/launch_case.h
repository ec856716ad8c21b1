#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emu/machine.h"
#include "runtime/platform.h"
#include "tests/e2e/kernel_case.h"

namespace mockgpu::test {

/// The bytes of a file; empty if it cannot be read.
std::vector<std::byte> read_file(const std::string& path);

/// Launches the case; its buffers afterwards. Throws what the device throws.
Outputs run(const KernelCase& kernel_case, runtime::Device& device, const Variant& variant = {});

/// Where a case runs: the variant of its code and the machine.
struct Place {
  Variant variant;
  std::string machine;  ///< as in MOCKGPU
};

/// The values of the axes: optimisation levels, wave sizes, vector levels, threads, modes. A product lists
/// all of them; a cover lists some so that any two values of two axes meet.
std::vector<Place> product_of_places();
std::vector<Place> cover_of_places();

/// Those of `places` where a case differs: an object that exists once runs once per machine.
std::vector<Place> places_of(const KernelCase& kernel_case, const std::vector<Place>& places);

/// Open devices by machine. A device that failed is opened anew.
class Devices {
 public:
  /// Runs `kernel_case` there; what is wrong, or an empty string.
  std::string check(const KernelCase& kernel_case, const Place& place);

 private:
  struct Open {
    emu::OpenedMachine machine;
    std::unique_ptr<runtime::Device> device;
  };
  std::map<std::string, Open> open_;
};

/// A name for messages: "O2 wave32 on gfx1100;mode=inline".
std::string name_of(const Place& place);

}  // namespace mockgpu::test
