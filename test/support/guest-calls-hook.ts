/**
 * Reports what guests ask of the host, whatever host it is: every function an instance imports is wrapped. Loaded into
 * the host's process and its workers (`--import`, `workerImports`) before any of them has an instance.
 */
import { workerChannel } from './worker-channel.ts'

/** Where the calls are reported; see `guest-calls.ts`. */
export const GUEST_CALLS = 'ftl-guest-calls'

/** At the end of the module's address: calls are reported. */
const REPORTING = '?report'

/** The address of this module, for the process that is to report. */
export const GUEST_CALLS_HOOK = `${import.meta.url.replace(/\?.*$/, '')}${REPORTING}`

export interface GuestCall {
  /** Number of the instance, in its thread. */
  guest: number
  /** `interface#function` */
  call: string
}

const { Instance, Suspending } = WebAssembly as typeof WebAssembly & {
  Suspending: new (call: (...args: unknown[]) => unknown) => object
}

// Workers have no environment, but they inherit the flags of the process.
if (import.meta.url.endsWith(REPORTING)) {
  const channel = workerChannel(GUEST_CALLS)
  let guests = 0
  // Calls that may wait are wrapped where they are made to, because what comes of it cannot be called.
  const waiting = new WeakMap<object, (report: () => void) => object>()
  Object.assign(WebAssembly, {
    Suspending: function (call: (...args: unknown[]) => unknown) {
      const plain = new Suspending(call)
      waiting.set(
        plain,
        (report) =>
          new Suspending((...args) => {
            report()
            return call(...args)
          }),
      )
      return plain
    },
    Instance: function (module: WebAssembly.Module, imports: WebAssembly.Imports = {}) {
      return new Instance(module, reported(imports, ++guests))
    },
  })

  const reported = (imports: WebAssembly.Imports, guest: number): WebAssembly.Imports =>
    Object.fromEntries(
      Object.entries(imports).map(([module, members]) => [
        module,
        Object.fromEntries(
          Object.entries(members).map(([name, value]) => {
            const report = () =>
              channel.postMessage({ guest, call: `${module}#${name}` } satisfies GuestCall)
            if (typeof value === 'function') {
              const call = value as (...args: unknown[]) => unknown
              const reporting = (...args: unknown[]) => {
                report()
                return call(...args)
              }
              return [name, reporting]
            }
            return [name, waiting.get(value as object)?.(report) ?? value]
          }),
        ),
      ]),
    ) as WebAssembly.Imports
}
