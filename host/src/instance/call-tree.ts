/** A request from outside and everything components do for it: the guests it reached and their side effects. */
import type { HeaderEntry } from '../http/header-rules.ts'
import type { GatewayReport } from '../http/messages.ts'
import type { InnerCall } from '../requests/request-entry.ts'
import type { RequestSpans } from '../requests/request-spans.ts'
import { MAX_CHAIN, MAX_INNER_CALLS } from '../wire/request-end.ts'
import type { GuestId } from '../wire/guest-cells.ts'
import type { CallOrigin, CallPlace } from '../wire/messages.ts'

/** Characters of a call's path that are recorded. */
const MAX_CALL_PATH = 1024

export interface CallTreeOptions {
  id: number
  /** Who the request comes from. @default unknown */
  sender?: string
  /** Ids of all components; their order gives the numbers of {@link GuestId}. */
  components: readonly string[]
  /** Of the request from outside. */
  headers?: readonly HeaderEntry[]
  /**
   * Calls that are answered 500 without being made: in an earlier attempt of the request, their guests took down a
   * whole thread.
   */
  avoid?: readonly CallPlace[]
  /** Records spans; `undefined` when the request is not traced. */
  trace?: RequestSpans
  /** What a call from another thread brings along. @default the request comes from outside */
  origin?: CallOrigin | undefined
  /** Called before each change of something outside. @default nothing is waited for */
  beforeEffect?: (tree: CallTree) => void
  /** A guest is about to change something outside itself. Called once per guest. */
  onEffect?: (place: CallPlace) => void
  /** The last guest has ended. */
  onEnd?: () => void
}

export interface Endable {
  abandon(reason: string): void
}

/** A guest's place in the tree. */
export interface Place extends CallPlace {
  readonly guest: GuestId
  effectReported: boolean
}

export class CallTree {
  /** When the request from outside began, by `performance.now()`. */
  readonly since = performance.now()
  readonly #options: CallTreeOptions
  readonly #counts = new Map<string, number>()
  readonly #guests = new Set<Endable>()
  #abandoned: string | undefined
  /** The first {@link MAX_CHAIN} components, in the order in which they were called. */
  readonly chain: string[] = []
  /** The first {@link MAX_INNER_CALLS} inner calls. */
  readonly calls: InnerCall[] = []
  readonly trace: RequestSpans | undefined
  /** Number of its guests that are ready to continue, but wait for their thread. */
  waitingForThread = 0
  /** What a gateway reported about the client. */
  readonly report: GatewayReport = {}
  /** By header: what a gateway said about the user in its last request to a component. */
  readonly callers: Map<string, string>

  constructor(options: CallTreeOptions) {
    this.#options = options
    this.trace = options.trace
    this.callers = new Map(options.origin?.callers)
  }

  /** Of the request in its worker. */
  get id(): number {
    return this.#options.id
  }

  /** Of the request from outside. */
  get outsideHeaders(): readonly HeaderEntry[] {
    const { headers = [], origin } = this.#options
    return origin?.headers ?? headers
  }

  get sender(): string {
    return this.#options.sender ?? ''
  }

  /** The value of a header of the request from outside; `undefined` if the header is missing or repeated. */
  outside(name: string): string | undefined {
    const headers = this.outsideHeaders
    const [first, second] = headers.filter((entry) => entry[0] === name)
    return second === undefined ? first?.[1] : undefined
  }

  /** Numbers the next call to `component`. */
  place(component: string): Place {
    const { id, components } = this.#options
    const index = components.indexOf(component)
    const nth = this.#counts.get(component) ?? 0
    // Unknown names are not counted: a guest can make up any number of them.
    if (index >= 0) this.#counts.set(component, nth + 1)
    if (this.chain.length < MAX_CHAIN) this.chain.push(component)
    const guest = { request: id, component: index, nth }
    return { component, nth, guest, effectReported: false }
  }

  /** Records a call. The code that gets the answer sets `status`. */
  noteCall(component: string, method: string, path: string): InnerCall {
    const known = path.slice(0, MAX_CALL_PATH).replace(/\?.*$/s, '')
    const call: InnerCall = { component, method, path: known, status: 0 }
    if (this.calls.length < MAX_INNER_CALLS) this.calls.push(call)
    return call
  }

  avoids({ component, nth }: CallPlace): boolean {
    const { avoid = [] } = this.#options
    return avoid.some((place) => place.component === component && place.nth === nth)
  }

  /** Reports that the guest is about to change something outside itself. */
  effect(place: Place): void {
    this.#options.beforeEffect?.(this)
    if (place.effectReported) return
    place.effectReported = true
    this.#options.onEffect?.({ component: place.component, nth: place.nth })
  }

  start(guest: Endable): void {
    this.#guests.add(guest)
    if (this.#abandoned !== undefined) guest.abandon(this.#abandoned)
  }

  end(guest: Endable): void {
    if (this.#guests.delete(guest) && this.#guests.size === 0) this.#options.onEnd?.()
  }

  /** Ends every guest of the request, also those that start later. */
  abandon(reason: string): void {
    this.#abandoned = reason
    for (const guest of [...this.#guests]) guest.abandon(reason)
  }
}
