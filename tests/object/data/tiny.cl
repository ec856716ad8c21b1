kernel void tiny(global int* out) { out[0] = 1; }
