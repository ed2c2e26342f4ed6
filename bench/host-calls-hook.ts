/**
 * Counts what guests ask of the host, whatever host it is: every function an instance imports is wrapped. Loaded into
 * the host's process and its workers (`--import`) before any of them has an instance.
 */
const CHANNEL = 'ftl-bench-host-calls'

/** At the end of the module's address: calls are counted. */
const COUNTING = '?count'

/** Calls by `interface#function`. */
export type HostCalls = Record<string, number>

const { Instance, Suspending } = WebAssembly as typeof WebAssembly & {
  Suspending: new (call: (...args: unknown[]) => unknown) => object
}

// Workers have no environment, but they inherit the flags of the process.
if (import.meta.url.endsWith(COUNTING)) {
  const channel = new BroadcastChannel(CHANNEL) as BroadcastChannel & { unref(): void }
  channel.unref()
  // Calls that may wait are wrapped where they are made to, because what comes of it cannot be called.
  const waiting = new WeakMap<object, (count: () => void) => object>()
  Object.assign(WebAssembly, {
    Suspending: function (call: (...args: unknown[]) => unknown) {
      const plain = new Suspending(call)
      waiting.set(
        plain,
        (count) =>
          new Suspending((...args) => {
            count()
            return call(...args)
          }),
      )
      return plain
    },
    Instance: function (module: WebAssembly.Module, imports: WebAssembly.Imports = {}) {
      return new Instance(module, counted(imports))
    },
  })

  const counted = (imports: WebAssembly.Imports): WebAssembly.Imports =>
    Object.fromEntries(
      Object.entries(imports).map(([module, members]) => [
        module,
        Object.fromEntries(
          Object.entries(members).map(([name, value]) => {
            const count = () => channel.postMessage(`${module}#${name}`)
            if (typeof value === 'function') {
              const call = value as (...args: unknown[]) => unknown
              const counting = (...args: unknown[]) => {
                count()
                return call(...args)
              }
              return [name, counting]
            }
            return [name, waiting.get(value as object)?.(count) ?? value]
          }),
        ),
      ]),
    ) as WebAssembly.Imports
}

/** For the process that asks. @returns gives what was counted since it was last asked. */
export function startCounting(): () => HostCalls {
  const channel = new BroadcastChannel(CHANNEL) as BroadcastChannel & { unref(): void }
  let calls: HostCalls = {}
  channel.onmessage = ({ data }) => {
    calls[data as string] = (calls[data as string] ?? 0) + 1
  }
  channel.unref()
  return () => {
    const counted = calls
    calls = {}
    return counted
  }
}
