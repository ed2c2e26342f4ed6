/**
 * The thread that validates one component file and ends: see {@link validate}.
 *
 * The validator is a WebAssembly module, so it is itself in a sandbox. It gets no file, no clock and no environment.
 */
import { parentPort, workerData } from 'node:worker_threads'

export interface ValidatorInput {
  validator: WebAssembly.Module
  component: Uint8Array
}

/** What is wrong with the component, or nothing. */
export interface ValidatorOutput {
  invalid: string | undefined
}

interface ValidatorExports {
  memory: WebAssembly.Memory
  cabi_realloc: (at: number, size: number, alignment: number, newSize: number) => number
  'local:wasm-tools/tools#component-wit': (at: number, size: number) => number
}

const BAD_DESCRIPTOR = 8

function validateIn({ validator, component }: ValidatorInput): string | undefined {
  let memory = new WebAssembly.Memory({ initial: 0 })
  const view = () => new DataView(memory.buffer)
  const given: Record<string, (...args: number[]) => number> = {
    // It seeds hash tables of an instance that lives for one file.
    random_get: () => 0,
    environ_get: () => 0,
    environ_sizes_get: (count = 0, size = 0) => {
      view().setUint32(count, 0, true)
      view().setUint32(size, 0, true)
      return 0
    },
    proc_exit: () => {
      throw new Error('the validator ended itself')
    },
  }
  const denied = () => BAD_DESCRIPTOR
  const names = WebAssembly.Module.imports(validator).map(({ name }) => name)
  const instance = new WebAssembly.Instance(validator, {
    wasi_snapshot_preview1: Object.fromEntries(names.map((name) => [name, given[name] ?? denied])),
  })
  const exports = instance.exports as unknown as ValidatorExports
  memory = exports.memory
  const at = exports.cabi_realloc(0, 0, 1, component.length) >>> 0
  new Uint8Array(memory.buffer, at, component.length).set(component)
  // A result: its tag, then the text of the WIT or of the error.
  const result = exports['local:wasm-tools/tools#component-wit'](at, component.length) >>> 0
  if (view().getUint8(result) === 0) return undefined
  const [text, size] = [view().getUint32(result + 4, true), view().getUint32(result + 8, true)]
  return Buffer.from(memory.buffer, text, size).toString()
}

const output: ValidatorOutput = { invalid: validateIn(workerData as ValidatorInput) }
parentPort?.postMessage(output)
