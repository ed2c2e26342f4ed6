/** `wasi:cli/environment`. */
import type { Guest } from './guest.ts'
import type { ImportFunction } from './jspi.ts'

export function environmentImports({ memory, services }: Guest): Record<string, ImportFunction> {
  return {
    'get-environment': (ret: number) => {
      const entries = Object.entries(services.environment)
      const to = memory.allocate(entries.length, 16)
      for (const [i, [name, value]] of entries.entries()) {
        memory.setString(to + 16 * i, name)
        memory.setString(to + 16 * i + 8, value)
      }
      memory.setList(ret, to, entries.length)
    },
    'get-arguments': (ret: number) => memory.setList(ret, memory.allocate(0, 8), 0),
    'initial-cwd': (ret: number) => memory.setU8(ret, 0),
  }
}
