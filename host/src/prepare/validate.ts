/**
 * Validating a component file as a whole, by the validator of the Bytecode Alliance (wasmparser, in wasm-tools).
 *
 * It runs before anything here reads the file, so that our linker sees nothing but valid components. It checks the
 * component's own structure and types; the engine validates the code of the core modules when it compiles them.
 * Each file gets a new thread and a new instance of the validator: a file that makes it fail, hang or grow is
 * refused and does not change how the next file is seen.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { BinaryError } from '../wasm/binary.ts'
import { limitMemory } from '../wasm/limit-memory.ts'
import type { ValidatorInput, ValidatorOutput } from './validator-thread.ts'

/** Bytes of the largest component file. Engines for JavaScript and Python make files of 15 to 40 MB. */
export const MAX_COMPONENT_BYTES = 128 * 1024 * 1024

/** How every WebAssembly file begins: `\0asm`. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d]

/** Milliseconds validating a file may take. 15 MB take a tenth of a second. */
const VALIDATION_MS = 60_000

/** Bytes the validator's memory may take: some times the largest file. */
const VALIDATOR_MEMORY = 1024 * 1024 * 1024

/** Megabytes of JavaScript objects of the validator's thread. It has next to none. */
const THREAD_HEAP_MB = 64

/** The entry is beside this file, also where the package is built to JavaScript. */
const ENTRY = new URL(`./validator-thread${import.meta.url.slice(-3)}`, import.meta.url)

export interface ValidateOptions {
  /** See {@link VALIDATION_MS}. */
  timeoutMs?: number
}

/**
 * @throws {BinaryError} when the file is not a valid component, or cannot be validated.
 */
export async function validate(
  component: Uint8Array,
  { timeoutMs = VALIDATION_MS }: ValidateOptions = {},
): Promise<void> {
  if (component.length > MAX_COMPONENT_BYTES) {
    const limit = MAX_COMPONENT_BYTES / 1024 / 1024
    throw new BinaryError(`is larger than ${limit} MiB, the limit of a component file`)
  }
  // Says more to a person than what a validator says of its first byte.
  if (!MAGIC.every((byte, at) => component[at] === byte)) {
    throw new BinaryError('is not a WebAssembly file')
  }
  const input: ValidatorInput = { validator: await loadValidator(), component }
  const worker = new Worker(ENTRY, {
    workerData: input,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  })
  try {
    const { invalid } = await outputOf(worker, timeoutMs)
    if (invalid === undefined) return
    throw new BinaryError(`is not a valid component: ${invalid.replace(PREAMBLE, '').trim()}`)
  } finally {
    void worker.terminate()
  }
}

/** How each of the validator's messages begins. */
const PREAMBLE = /^Failed to decode wit component\s*/

function outputOf(worker: Worker, timeoutMs: number): Promise<ValidatorOutput> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer)
      reject(new BinaryError(`cannot be validated: ${reason}`))
    }
    const timer = setTimeout(() => fail(`it took more than ${timeoutMs / 1000} s`), timeoutMs)
    worker.once('message', (output: ValidatorOutput) => {
      clearTimeout(timer)
      resolve(output)
    })
    worker.once('error', ({ message }) => fail(`the validator failed (${message})`))
    worker.once('exit', () => fail('the validator ended'))
  })
}

let validator: Promise<WebAssembly.Module> | undefined

/** Compiled once; a failure is not kept. */
function loadValidator(): Promise<WebAssembly.Module> {
  validator ??= compileValidator().catch((error: unknown) => {
    validator = undefined
    throw error
  })
  return validator
}

async function compileValidator(): Promise<WebAssembly.Module> {
  const bytes = await readFile(validatorFile())
  const limited = limitMemory(bytes, VALIDATOR_MEMORY)
  return WebAssembly.compile(limited as Uint8Array<ArrayBuffer>)
}

/** A package brings the file along; in the repository it is in its own package. */
function validatorFile(): URL {
  const shipped = new URL('./validator.wasm', import.meta.url)
  if (existsSync(shipped)) return shipped
  const entry = import.meta.resolve('@bytecodealliance/jco-transpile/wasm-tools')
  return new URL('../vendor/wasm-tools.core.wasm', entry)
}
