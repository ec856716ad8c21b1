#!/usr/bin/env python3
"""Writes random programs that OpenCL C for a GPU and C for the host both understand.

    generate.py SEED COUNT > programs.c

Every program is a kernel `pN(in, out)` of workgroups of 48 work-items: phases of arithmetic and control flow on
private variables, with barriers between them. Phases that write to group memory write only the work-item's own
part; the others read everywhere. All operations are defined and exactly rounded; NaNs are folded. With
-DHOST the file is a C program that writes the results of all kernels to stdout.
"""
import random
import sys

ITEMS = 48   # of a workgroup
GROUPS = 2
WORDS = 4    # of group memory that a work-item owns


class Program:
    def __init__(self, number, rng):
        self.n, self.rng, self.lines, self.depth = number, rng, [], 0
        self.loops = 0
        self.reads_lds = False
        self.writes_lds = False
        self.helpers = 0

    def pick(self, *choices):
        return self.rng.choice(choices)

    def number(self, high):
        return self.rng.randrange(high)

    def emit(self, text):
        self.lines.append('  ' * (self.depth + 1) + text)

    # ---- expressions: u = uint, w = ulong, f = float, d = double

    def u(self, depth=2):
        if depth == 0 or self.number(8) == 0:
            return self.pick(f'u{self.number(5)}', f'u{self.number(5)}', 'l', 'g',
                             f'a[u{self.number(5)} & 31u]',
                             f'0x{self.rng.getrandbits(self.pick(4, 8, 16, 32)):x}u')
        x, y = self.u(depth - 1), self.u(depth - 1)
        kind = self.number(26)
        if kind < 8:
            return f'({x} {self.pick("+", "-", "*", "^", "&", "|")} {y})'
        if kind < 11:
            return f'({x} {self.pick("<<", ">>")} ({y} & 31u))'
        if kind == 11:
            return f'udiv({x}, {y})'
        if kind == 12:
            return f'umod({x}, {y})'
        if kind == 13:
            return f'sdiv({x}, {y})'
        if kind == 14:
            return f'smod({x}, {y})'
        if kind == 15:
            return f'(uint)((int)({x}) >> ({y} & 31u))'
        if kind == 16:
            return f'(uint)(({self.w(depth - 1)}) >> {self.number(33)})'
        if kind == 17:
            return f'f2i({self.f(depth - 1)})'
        if kind == 18:
            return f'(uint)({self.f(depth - 1)} {self.pick("<", "<=", ">", ">=", "==", "!=")} {self.f(depth - 1)})'
        if kind == 19:
            return f'(uint)(({self.pick("uchar", "schar", "ushort", "short")})({x}))'
        if kind == 20:
            return f'({self.condition(depth - 1)} ? {x} : {y})'
        if kind == 21:
            return f'(uint)__builtin_{self.pick("popcount(", "clz(1u | ", "ctz(0x80000000u | ")}{x})'
        if kind == 22:
            return f'mulhi({x}, {y})'
        if kind == 23 and self.reads_lds:
            return self.pick(f'lds[{x} % {ITEMS * WORDS}u]', f'(uint)((LOCAL uchar *)lds)[{x} % {ITEMS * WORDS * 4}u]',
                             f'(uint)(int)((LOCAL short *)lds)[{x} % {ITEMS * WORDS * 2}u]')
        if kind == 23 and self.writes_lds:
            return f'lds[l * {WORDS}u + ({x} & {WORDS - 1}u)]'
        if kind == 24:
            return f'd2i({self.d(depth - 1)})'
        if kind == 25 and self.helpers:
            return f'h{self.n}_{self.number(self.helpers)}({x}, {y})'
        return f'(({x} << {self.number(31) + 1}) | ({y} >> {self.number(32)}))'

    def w(self, depth=2):
        if depth == 0:
            return self.pick(f'w{self.number(3)}', f'(ulong)u{self.number(5)}', f'0x{self.rng.getrandbits(64):x}ul')
        x, y = self.w(depth - 1), self.w(depth - 1)
        kind = self.number(12)
        if kind < 6:
            return f'({x} {self.pick("+", "-", "*", "^", "&", "|")} {y})'
        if kind < 8:
            return f'({x} {self.pick("<<", ">>")} ({self.u(depth - 1)} & 63u))'
        if kind == 8:
            return f'{self.pick("wdiv", "wmod", "ldiv64", "lmod64")}({x}, {y})'
        if kind == 9:
            return f'(ulong)(long)(int){self.u(depth - 1)}'
        if kind == 10:
            return f'({self.condition(depth - 1)} ? {x} : {y})'
        return f'((ulong){self.u(depth - 1)} << 32 | {self.u(depth - 1)})'

    def f(self, depth=2):
        if depth == 0:
            return self.pick(f'f{self.number(4)}', f'f{self.number(4)}',
                             f'{self.pick("0.5f", "1.25f", "-3.0f", "1.0e10f", "7.0e-39f", "0.1f")}')
        x, y = self.f(depth - 1), self.f(depth - 1)
        kind = self.number(14)
        if kind < 7:
            return f'fold({x} {self.pick("+", "-", "*")} {y})'
        if kind == 7:
            return f'fold({x} / {y})'
        if kind == 8:
            return f'fold(__builtin_fmaf({x}, {y}, {self.f(depth - 1)}))'
        if kind == 9:
            return f'fold(__builtin_sqrtf(__builtin_fabsf({x})))'
        if kind == 10:
            return self.pick(f'(float){self.u(depth - 1)}', f'(float)(int){self.u(depth - 1)}', f'(float){self.w(depth - 1)}')
        if kind == 11:
            return self.pick(f'(-({x}))', f'__builtin_fabsf({x})', f'__builtin_{self.pick("floorf", "ceilf", "truncf", "rintf")}({x})')
        if kind == 12:
            return f'({self.condition(depth - 1)} ? {x} : {y})'
        return f'(float)({self.d(depth - 1)})'

    def d(self, depth=2):
        if depth == 0:
            return self.pick(f'd{self.number(2)}', f'(double)f{self.number(4)}', self.pick('0.1', '-2.0', '1.0e300', '3.0e-310'))
        x, y = self.d(depth - 1), self.d(depth - 1)
        kind = self.number(10)
        if kind < 5:
            return f'foldd({x} {self.pick("+", "-", "*", "/")} {y})'
        if kind == 5:
            return f'foldd(__builtin_fma({x}, {y}, d{self.number(2)}))'
        if kind == 6:
            return f'foldd(__builtin_sqrt(__builtin_fabs({x})))'
        if kind == 7:
            return self.pick(f'(double){self.u(depth - 1)}', f'(double)(int){self.u(depth - 1)}', f'(double){self.w(depth - 1)}')
        if kind == 8:
            return self.pick(f'(-({x}))', f'__builtin_{self.pick("floor", "ceil", "trunc", "rint")}({x})')
        return f'({self.condition(depth - 1)} ? {x} : {y})'

    def condition(self, depth=1):
        kind = self.number(6)
        if kind < 3:
            return f'({self.u(depth)} {self.pick("<", ">=", "==", "!=", ">")} {self.u(depth)})'
        if kind == 3:
            return f'((int){self.u(depth)} {self.pick("<", ">=")} (int){self.u(depth)})'
        if kind == 4:
            return f'({self.f(depth)} {self.pick("<", "<=", ">")} {self.f(depth)})'
        return f'({self.u(depth)} & {1 << self.number(5)}u)'

    # ---- statements

    def assignment(self):
        kind = self.number(12)
        if kind < 5:
            self.emit(f'u{self.number(5)} {self.pick("=", "=", "+=", "^=")} {self.u()};')
        elif kind < 8:
            self.emit(f'f{self.number(4)} = {self.f()};')
        elif kind < 9:
            self.emit(f'w{self.number(3)} {self.pick("=", "+=", "^=")} {self.w()};')
        elif kind < 10:
            self.emit(f'd{self.number(2)} = {self.d()};')
        elif kind < 11 or not self.writes_lds:
            self.emit(f'a[{self.u(1)} & 31u] {self.pick("=", "+=")} {self.u()};')
        else:
            self.emit(self.pick(f'lds[l * {WORDS}u + ({self.u(1)} & {WORDS - 1}u)] = {self.u()};',
                                f'((LOCAL uchar *)lds)[l * {WORDS * 4}u + ({self.u(1)} & {WORDS * 4 - 1}u)] = (uchar){self.u()};',
                                f'((LOCAL ushort *)lds)[l * {WORDS * 2}u + ({self.u(1)} & {WORDS * 2 - 1}u)] = (ushort){self.u()};'))

    def block(self, size, in_loop):
        self.depth += 1
        for _ in range(size):
            self.statement(in_loop)
        self.depth -= 1

    def statement(self, in_loop=False):
        kind = self.number(20)
        deep = self.depth >= 4
        if kind < 11 or deep:
            self.assignment()
        elif kind < 14:
            self.emit(f'if ({self.condition()}) {{')
            self.block(1 + self.number(3), in_loop)
            if self.number(2):
                self.emit('} else {')
                self.block(1 + self.number(2), in_loop)
            self.emit('}')
        elif kind < 17:
            name = f'k{self.loops}'
            self.loops += 1
            bound = self.pick('3u', f'({self.u(1)} & 7u)', f'({self.u(1)} % 5u)')
            self.emit(f'for (uint {name} = 0, e_{name} = {bound}; {name} < e_{name}; ++{name}) {{')
            self.depth += 1
            self.emit(f'u{self.number(5)} += {name};')
            self.depth -= 1
            self.block(1 + self.number(3), True)
            self.emit('}')
        elif kind < 18:
            self.emit(f'switch ({self.u(1)} & 3u) {{')
            for label in ('case 0:', 'case 1:', 'default:'):
                self.emit(f'{label} {{')
                self.block(1 + self.number(2), False)
                self.emit('}')
                if self.number(3):
                    self.emit('break;')
                elif label != 'default:':
                    self.emit('FALLTHROUGH;')
            self.emit('}')
        elif kind < 19 and in_loop:
            self.emit(f'if ({self.condition()}) {self.pick("break", "continue")};')
        else:
            self.emit(f'if ({self.condition()} && {self.condition()}) goto out;' if self.number(3) == 0 else f'u{self.number(5)} = {self.u(3)};')

    LOAD = ('  uint u0 = s->u[0], u1 = s->u[1], u2 = s->u[2], u3 = s->u[3], u4 = s->u[4];\n'
            '  ulong w0 = s->w[0], w1 = s->w[1], w2 = s->w[2];\n'
            '  float f0 = s->f[0], f1 = s->f[1], f2 = s->f[2], f3 = s->f[3];\n'
            '  double d0 = s->d[0], d1 = s->d[1];\n'
            '  PRIVATE uint *a = s->a;')
    STORE = ('  s->u[0] = u0; s->u[1] = u1; s->u[2] = u2; s->u[3] = u3; s->u[4] = u4;\n'
             '  s->w[0] = w0; s->w[1] = w1; s->w[2] = w2;\n'
             '  s->f[0] = f0; s->f[1] = f1; s->f[2] = f2; s->f[3] = f3;\n'
             '  s->d[0] = d0; s->d[1] = d1;')

    def write(self):
        out = []
        count = self.number(3)
        for h in range(count):
            self.lines = []
            body = self.pick('x * y + 7u', 'x ^ (y >> 3)', 'udiv(x, y) + smod(y, x)', 'mulhi(x, y) - x')
            out.append(f'CALLED uint h{self.n}_{h}(uint x, uint y) {{\n'
                       f'  for (uint i = 0; i < (y & 3u); ++i) x = {body};\n  return x + {self.number(1000)}u;\n}}')
        self.helpers = count
        phases = 2 + self.number(2)
        for phase in range(phases):
            self.lines = []
            self.writes_lds, self.reads_lds = phase % 2 == 0, phase % 2 == 1
            for _ in range(2 + self.number(4)):
                self.statement()
            out.append(f'BODY void p{self.n}_{phase}(PRIVATE State *s, uint l, uint g, LOCAL uint *lds) {{\n'
                       f'{self.LOAD}\n' + '\n'.join(self.lines) + f'\n  goto out;\nout:\n{self.STORE}\n}}')
        calls = [f'PHASE(p{self.n}_{phase})' for phase in range(phases)]
        if self.number(2):  # twice, in a loop around barriers
            calls = [f'for (uint round = 0; round < 2u; ++round) {{ {" ".join(calls)} }}']
        out.append(f'KERNEL(p{self.n}) {{ START {" ".join(calls)} END }}')
        return '\n'.join(out)


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print(f'// generate.py {seed} {count}\n#define ITEMS {ITEMS}u\n#define GROUPS {GROUPS}u\n#define WORDS {WORDS}u\n'
          '#include "prelude.h"')
    for n in range(count):
        print(Program(n, random.Random(seed * 1000003 + n)).write())
    print('#ifdef HOST\nint main(void) {')
    for n in range(count):
        print(f'  p{n}();')
    print('  return 0;\n}\n#endif')


main()
