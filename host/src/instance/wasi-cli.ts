/** `wasi:cli`: the environment, standard input and output, exit and terminals. */
import type { LogStream } from '../wire/messages.ts'
import type { Guest } from './guest.ts'
import { InputStream, OutputStream } from './io.ts'
import type { ImportFunction } from './jspi.ts'
import { Pipe } from '../http/pipe.ts'
import type { LineLog } from './guest-output.ts'
import type { Preview1 } from './preview1.ts'
import { ALWAYS_READY } from '../http/wake-signal.ts'
import { Trap } from './trap.ts'

/** Bytes of output taken at once. */
const OUTPUT_PERMIT = 64 * 1024

/** There is never one, so nothing can be dropped as one. */
class Terminal {}

type Imports = Record<string, ImportFunction>

export function stdioImports(
  { handles, memory }: Guest,
  { logs }: Pick<Preview1, 'logs'>,
): Record<string, Imports> {
  const output = (stream: LogStream) => () => handles.add(new OutputStream(logSink(logs[stream])))
  const drop = (self: number) => handles.drop(self, Terminal)
  const noTerminal = (ret: number) => memory.setU8(ret, 0)
  return {
    'wasi:cli/stdin': { 'get-stdin': () => handles.add(new InputStream(Pipe.empty())) },
    'wasi:cli/stdout': { 'get-stdout': output('stdout') },
    'wasi:cli/stderr': { 'get-stderr': output('stderr') },
    'wasi:cli/exit': {
      exit: (status: number) => {
        throw new Trap(`the guest ended itself ${status === 0 ? 'as done' : 'as failed'}`)
      },
      'exit-with-code': (code: number) => {
        throw new Trap(`the guest ended itself with exit code ${code}`)
      },
    },
    'wasi:cli/terminal-stdin': { 'get-terminal-stdin': noTerminal },
    'wasi:cli/terminal-stdout': { 'get-terminal-stdout': noTerminal },
    'wasi:cli/terminal-stderr': { 'get-terminal-stderr': noTerminal },
    'wasi:cli/terminal-input': { '[resource-drop]terminal-input': drop },
    'wasi:cli/terminal-output': { '[resource-drop]terminal-output': drop },
  }
}

const logSink = (log: LineLog) => ({
  permit: () => OUTPUT_PERMIT,
  write: (chunk: Uint8Array) => log.write(chunk),
  writable: ALWAYS_READY,
})

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
