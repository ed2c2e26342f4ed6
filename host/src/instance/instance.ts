/** One instance of a component: serves one request at a time and can be put back to its first state. */
import { runGuest } from './run-guest.ts'
import { Guest } from './guest.ts'
import { importsFor } from './imports.ts'
import { jspi } from './jspi.ts'
import { preview1, type Preview1 } from './preview1.ts'
import { type FirstMemory, firstMemory } from './first-memory.ts'
import { MemoryMarks } from './memory-marks.ts'
import type { Span } from '../wasm/separate-data.ts'
import { MARKS_EXPORT, PAGE_BYTES, PAGE_COUNT_EXPORT, STATE_EXPORT } from '../wasm/added-exports.ts'
import type { ComponentServices, GuestRequest } from './services.ts'
import type { HttpResponse } from '../http/messages.ts'
import { Trap } from './trap.ts'

/**
 * A compiled component, and the memory of an instance that has not run yet.
 *
 * The image is shared by all instances: a guest's start state is the same each time.
 */
export interface Program {
  readonly module: WebAssembly.Module
  /** Whether an instance can be put back to its first state. See {@link rewriteModule}. */
  readonly resettable: boolean
  /**
   * `module` has nothing in its memory, which has to be filled with these parts of the image. See {@link separateData}.
   *
   * @default its memory is filled by itself
   */
  readonly filled?: readonly Span[] | undefined
  /** Interfaces, without their version, that the component itself does not import. @default none */
  readonly withheld?: readonly string[]
  image: Uint8Array | undefined
}

const HANDLE_EXPORT = /^wasi:http\/incoming-handler@0\.2\.\d+#handle$/

/** What serves one request at a time. */
export interface GuestInstance {
  /** Bytes its memory takes. */
  readonly memoryBytes: number
  run(request: GuestRequest, respond: (response: HttpResponse) => void): Promise<boolean>
  abandon(reason: string): void
  /** Whether `error`, with which it failed, is that it was abandoned. */
  wasAbandoned(error: unknown): boolean
  /** Makes it like new; without, it serves one request. */
  readonly reset?: (() => void) | undefined
}

export class Instance implements GuestInstance {
  readonly #guest: Guest
  readonly #preview1: Preview1
  readonly #memory: WebAssembly.Memory
  readonly #handle: (request: number, outparam: number) => Promise<unknown>
  readonly reset: (() => void) | undefined
  readonly #state: { global: WebAssembly.Global; first: unknown }[] = []

  constructor(program: Program, services: ComponentServices) {
    this.#guest = new Guest(services)
    this.#preview1 = preview1(this.#guest)
    const { exports } = new WebAssembly.Instance(
      program.module,
      importsFor(program, this.#guest, this.#preview1),
    )
    const { memory, cabi_realloc: realloc } = exports
    const handle = Object.entries(exports).find(([name]) => HANDLE_EXPORT.test(name))?.[1]
    if (!(memory instanceof WebAssembly.Memory) || !realloc || !handle) {
      throw new Trap('the component does not export wasi:http/incoming-handler@0.2')
    }
    this.#memory = memory
    if (program.filled && program.image) fill(memory, exports, program.image, program.filled)
    this.#guest.memory.attach(memory, realloc as (...args: number[]) => number)
    this.#handle = jspi().promising(handle)
    for (const [name, value] of Object.entries(exports)) {
      if (!(value instanceof WebAssembly.Global)) continue
      if (name === PAGE_COUNT_EXPORT || name.startsWith(STATE_EXPORT)) {
        this.#state.push({ global: value, first: value.value })
      }
    }
    const written = exports[MARKS_EXPORT]
    if (program.resettable && written instanceof WebAssembly.Memory) {
      const image = firstMemory((program.image ??= sharedCopy(memory)))
      const marks = new MemoryMarks(written)
      this.#guest.memory.markIn(marks)
      this.reset = () => this.#reset(marks, image)
    }
  }

  /** Bytes this instance's memory takes; it never shrinks. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength
  }

  /** See {@link runGuest}. */
  run(request: GuestRequest, respond: (response: HttpResponse) => void): Promise<boolean> {
    const runnable = { guest: this.#guest, preview1: this.#preview1, handle: this.#handle }
    return runGuest(runnable, request, respond)
  }

  #reset(marks: MemoryMarks, image: FirstMemory): void {
    marks.restore(new Uint8Array(this.#memory.buffer), image)
    for (const { global, first } of this.#state) global.value = first
    this.#guest.handles.clear()
    this.#guest.account.reset()
    this.#guest.revive()
  }

  /** Ends a guest where it waits; {@link run} then fails with `reason`. */
  abandon(reason: string): void {
    this.#guest.abandon(reason)
  }

  wasAbandoned(error: unknown): boolean {
    return this.#guest.wasAbandoned(error)
  }
}

/**
 * Before any code of the guest runs: a module that can be reset has no start function.
 *
 * A new memory is zero, and a page of it takes memory of the machine when it is first written. Of 7 MB of a tool's image, 5 are zero.
 */
function fill(
  memory: WebAssembly.Memory,
  exports: WebAssembly.Exports,
  image: Uint8Array,
  filled: readonly Span[],
): void {
  const pages = image.length / PAGE_BYTES
  memory.grow(pages)
  ;(exports[PAGE_COUNT_EXPORT] as WebAssembly.Global<'i32'>).value = pages
  const bytes = new Uint8Array(memory.buffer)
  for (const { from, to } of filled) bytes.set(image.subarray(from, to), from)
}

// Shared between threads: every worker would keep 10 MB of its own for each component.
function sharedCopy({ buffer }: WebAssembly.Memory): Uint8Array {
  const image = new Uint8Array(new SharedArrayBuffer(buffer.byteLength))
  image.set(new Uint8Array(buffer))
  return image
}

/** Services of an instance that never runs. */
const NO_SERVICES: ComponentServices = {
  component: '',
  environment: {},
  outbound: { send: () => Promise.reject(new Trap('not running')) },
  files: { empty: true, stat: notRunning, list: notRunning, open: notRunning },
  openStore: notRunning,
  variable: notRunning,
  log: () => {},
}

function notRunning(): never {
  throw new Trap('not running')
}

/**
 * Keeps the first state of a component's memory for all threads.
 *
 * @throws {Trap} {@link WebAssembly.LinkError} when the component cannot be instantiated at all.
 */
export function takeImage(program: Program): void {
  if (program.resettable) new Instance(program, NO_SERVICES)
}
