#pragma once
#include <cstdint>
#include <string_view>

// What one core of this host can do, for the ratios: the benchmark kernels as native loops with AVX2
// intrinsics, 64 independent values in registers at a time, one thread.
namespace mockgpu::bench {

/// Whether this build and host have the native loops (x86-64 with AVX2 and FMA).
bool has_native();

/// Runs a register-only loop of 12 independent fused multiply-adds; returns how many lane operations it did.
std::uint64_t native_peak();

/// The hash loop of bench.cl for `items` work-items (a multiple of 64); 8 operations in each iteration.
void native_hash(std::uint32_t* out, std::uint32_t items, std::uint32_t iterations);

/// The fma loop of bench.cl for `items` work-items (a multiple of 8); 8 fused multiply-adds in each
/// iteration.
void native_fma(float* out, std::uint32_t items, float b, float c, std::uint32_t iterations);

}  // namespace mockgpu::bench
