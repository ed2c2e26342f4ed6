/** `wasi:random/{insecure,insecure-seed}`: as good as the secure one. */
import { randomImports } from './clocks.ts'
import type { Guest } from './guest.ts'
import type { ImportFunction } from './jspi.ts'
import { randomU64 } from './random-bytes.ts'

export function insecureRandomImports(
  guest: Guest,
): Record<string, Record<string, ImportFunction>> {
  const { memory } = guest
  const { 'get-random-bytes': bytes = () => undefined, 'get-random-u64': u64 = () => undefined } =
    randomImports(guest)
  return {
    'wasi:random/insecure': { 'get-insecure-random-bytes': bytes, 'get-insecure-random-u64': u64 },
    'wasi:random/insecure-seed': {
      'insecure-seed': (ret: number) => {
        memory.setU64(ret, randomU64())
        memory.setU64(ret + 8, randomU64())
      },
    },
  }
}
