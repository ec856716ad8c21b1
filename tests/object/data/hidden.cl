// A kernel that uses the implicit arguments, so that the compiler lists all of them in the metadata.
__attribute__((reqd_work_group_size(8, 4, 2))) kernel void hidden(global ulong* out, uint count, local int* scratch) {
  constant ulong* implicit = __builtin_amdgcn_implicitarg_ptr();
  scratch[0] = (int)count;
  for (uint i = 0; i < count; ++i) out[i] = implicit[i];
}
