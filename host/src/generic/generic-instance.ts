/** One instance of a component that takes the generic way. Each request links a new one. */
import { runGuest } from '../instance/run-guest.ts'
import { Guest } from '../instance/guest.ts'
import { type GuestInstance, Instance, type Program } from '../instance/instance.ts'
import { preview1, type Preview1 } from '../instance/preview1.ts'
import type { ComponentServices, GuestRequest } from '../instance/services.ts'
import type { HttpResponse } from '../http/messages.ts'
import { Trap } from '../instance/trap.ts'
import type { CoreShape } from '../wasm/check-module.ts'
import { LiftedFunction, startOf } from './adapter.ts'
import type { ComponentCode } from './component-code.ts'
import { CoreModule, type Exports } from './index-spaces.ts'
import { HANDLER_EXPORT } from './inspect.ts'
import { link } from './link.ts'

/** A prepared component; plain data and compiled modules, so that it can go to a worker thread. */
export interface GenericProgram {
  readonly kind: 'generic'
  readonly modules: readonly WebAssembly.Module[]
  /** One per module. */
  readonly shapes: readonly CoreShape[]
  readonly code: ComponentCode
  /** Why the component does not take the fast way. */
  readonly reason: string
}

/** Both kinds can go to a worker thread. */
export type PreparedProgram = Program | GenericProgram

export class GenericInstance implements GuestInstance {
  readonly #guest: Guest
  readonly #preview1: Preview1
  readonly #memories: ReadonlySet<WebAssembly.Memory>
  readonly #handle: (request: number, outparam: number) => Promise<unknown>

  constructor({ code, modules, shapes }: GenericProgram, services: ComponentServices) {
    this.#guest = new Guest(services)
    this.#preview1 = preview1(this.#guest)
    const { exports, memories } = link(code, {
      modules: modules.map((module, i) => new CoreModule(module, shapes[i] ?? NO_SHAPE)),
      guest: this.#guest,
      preview1: this.#preview1,
    })
    this.#memories = memories
    const handler = handlerOf(code, exports)
    this.#handle = startOf(handler.core, HANDLER_SIGNATURE)
    handler.owner.entered = true
    this.#guest.handles.use(handler.owner.handles)
  }

  get memoryBytes(): number {
    let bytes = 0
    for (const { buffer } of this.#memories) bytes += buffer.byteLength
    return bytes
  }

  /** See {@link runGuest}. */
  run(request: GuestRequest, respond: (response: HttpResponse) => void): Promise<boolean> {
    const runnable = { guest: this.#guest, preview1: this.#preview1, handle: this.#handle }
    return runGuest(runnable, request, respond)
  }

  abandon(reason: string): void {
    this.#guest.abandon(reason)
  }

  wasAbandoned(error: unknown): boolean {
    return this.#guest.wasAbandoned(error)
  }
}

/** The handler's parameters are two handles. */
const HANDLER_SIGNATURE = 'ii:'

const NO_SHAPE: CoreShape = { imports: [], exports: [], functions: 0 }

function handlerOf({ definitions }: ComponentCode, exports: Exports): LiftedFunction {
  for (const definition of definitions) {
    if (definition.kind !== 'export' || !HANDLER_EXPORT.test(definition.name)) continue
    const handle = exports.get(definition.name, 'instance').get('handle', 'function')
    if (handle instanceof LiftedFunction) return handle
  }
  throw new Trap('the component does not export wasi:http/incoming-handler@0.2')
}

/**
 * An instance of a prepared component, whichever way it takes.
 *
 * @throws {Trap} WebAssembly's errors, when the component cannot be instantiated.
 */
export function createInstance(
  program: PreparedProgram,
  services: ComponentServices,
): GuestInstance {
  return 'module' in program
    ? new Instance(program, services)
    : new GenericInstance(program, services)
}
