/**
 * One instance of a component: serves one request at a time and can be put back to its first state.
 *
 * @module
 */
import { Guest } from './guest.ts'
import { IncomingRequest, ResponseOutparam } from './http-resources.ts'
import { importsFor } from './imports.ts'
import { jspi } from './jspi.ts'
import { preview1, type Preview1 } from './preview1.ts'
import { PAGE_BYTES, PAGE_COUNT_EXPORT, STATE_EXPORT } from '../prepare/names.ts'
import type { ComponentServices, GuestRequest, GuestResponse } from './services.ts'
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
  image: Uint8Array | undefined
}

const HANDLE_EXPORT = /^wasi:http\/incoming-handler@0\.2\.\d+#handle$/

export class Instance {
  readonly #guest: Guest
  readonly #program: Program
  readonly #preview1: Preview1
  readonly #memory: WebAssembly.Memory
  readonly #handle: (request: number, outparam: number) => Promise<unknown>
  readonly #pages: WebAssembly.Global | undefined
  readonly #state: { global: WebAssembly.Global; first: unknown }[] = []

  constructor(program: Program, services: ComponentServices) {
    this.#program = program
    this.#guest = new Guest(services)
    this.#preview1 = preview1(this.#guest)
    const { exports } = new WebAssembly.Instance(
      program.module,
      importsFor(program.module, this.#guest, this.#preview1),
    )
    const { memory, cabi_realloc: realloc } = exports
    const handle = Object.entries(exports).find(([name]) => HANDLE_EXPORT.test(name))?.[1]
    if (!(memory instanceof WebAssembly.Memory) || !realloc || !handle) {
      throw new Trap('the component does not export wasi:http/incoming-handler@0.2')
    }
    this.#memory = memory
    this.#guest.memory.attach(memory, realloc as (...args: number[]) => number)
    this.#handle = jspi().promising(handle)
    for (const [name, value] of Object.entries(exports)) {
      if (!(value instanceof WebAssembly.Global)) continue
      if (name === PAGE_COUNT_EXPORT) this.#pages = value
      if (name === PAGE_COUNT_EXPORT || name.startsWith(STATE_EXPORT)) {
        this.#state.push({ global: value, first: value.value })
      }
    }
    if (program.resettable) program.image ??= new Uint8Array(memory.buffer).slice()
  }

  /** Bytes this instance's memory takes; it never shrinks. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength
  }

  /**
   * Runs the guest to its end, which may come long after its response.
   *
   * @param respond is called at most once, when the guest hands over its response.
   * @returns whether the guest responded.
   * @throws whatever ended the guest early: a trap, or a stack overflow.
   */
  async run(request: GuestRequest, respond: (response: GuestResponse) => void): Promise<boolean> {
    const { handles } = this.#guest
    this.#guest.depth = request.depth
    const outparam = new ResponseOutparam(respond)
    let endedWell = false
    try {
      await this.#handle(handles.add(new IncomingRequest(request)), handles.add(outparam))
      endedWell = true
      outparam.end()
      return outparam.used
    } finally {
      this.#preview1.flush()
      handles.clear({ endedWell })
    }
  }

  /** Makes the instance like new. */
  reset(): void {
    const { image } = this.#program
    if (image === undefined) throw new Trap('an instance without an image cannot be reset')
    const memory = new Uint8Array(this.#memory.buffer)
    // Beyond the pages the guest had it never wrote, and so these are zero.
    const used = Number(this.#pages?.value ?? 0) * PAGE_BYTES
    memory.set(image)
    if (used > image.length) memory.fill(0, image.length, used)
    for (const { global, first } of this.#state) global.value = first
    this.#guest.handles.clear()
  }

  /** Lets go of a guest that will not be run to its end. */
  abandon(): void {
    this.#guest.abandon()
  }
}
