/**
 * `process` without a process: its environment is empty, whatever the host's is. Settings come from the variables of
 * `spin.toml`.
 */
import EventEmitter from './events.ts'

class Process extends EventEmitter {
  readonly argv: string[] = []
  readonly execArgv: string[] = []
  readonly execPath = ''
  readonly env: Record<string, string | undefined> = {}
  readonly pid = 1
  readonly ppid = 0
  readonly platform = 'wasi'
  readonly arch = 'wasm32'
  readonly title = 'component'
  /** Libraries compare it, and some throw if it is missing. */
  readonly version = 'v20.19.0'
  readonly versions: Record<string, string> = { node: '20.19.0' }
  readonly release = { name: 'component' }
  readonly features = {}
  readonly config = {}
  /** As bundlers for browsers set it; libraries ask for it. */
  readonly browser = true
  exitCode: number | undefined
  readonly stdout = output((text) => console.log(text))
  readonly stderr = output((text) => console.error(text))
  readonly stdin = { isTTY: false, fd: 0 }
  readonly hrtime = Object.assign(
    (since: readonly [number, number] = [0, 0]): [number, number] => {
      const now = Date.now()
      const seconds = Math.floor(now / 1000) - since[0]
      const rest = (now % 1000) * 1e6 - since[1]
      return rest < 0 ? [seconds - 1, rest + 1e9] : [seconds, rest]
    },
    { bigint: () => BigInt(Date.now()) * 1_000_000n },
  )

  // Libraries take these two apart from it.
  readonly nextTick = (work: (...rest: unknown[]) => void, ...rest: unknown[]): void =>
    queueMicrotask(() => work(...rest))
  readonly cwd = (): string => '/'

  umask(): number {
    return 0o22
  }
  uptime(): number {
    return 0
  }
  memoryUsage(): Record<string, number> {
    return { rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }
  }
  emitWarning(warning: unknown): void {
    console.warn(String(warning))
  }
  exit(): never {
    throw new Error(
      'process.exit is not available in a component. Return a result, or throw an error',
    )
  }
  abort(): never {
    return this.exit()
  }
  kill(): never {
    return this.exit()
  }
  chdir(): never {
    throw new Error('process.chdir is not available in a component, which has no working folder')
  }
}

function output(print: (text: string) => void) {
  return {
    isTTY: false,
    columns: 80,
    fd: 1,
    write(text: unknown): boolean {
      print(String(text).replace(/\n$/, ''))
      return true
    },
  }
}

const process = new Process()

export const { argv, browser, cwd, env, hrtime, nextTick, platform, version, versions } = process
export const { stderr, stdin, stdout } = process
export default process
