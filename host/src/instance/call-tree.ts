/**
 * A request from outside and everything components do for it: the guests it reached, what they changed.
 *
 * @module
 */
import type { TraceLog } from '../telemetry/trace-log.ts'
import type { HeaderEntry } from './services.ts'
import type { Seat } from './turns.ts'

/** One call among those a request makes: to which component, and how many to it came before. */
export interface CallPlace {
  component: string
  nth: number
}

/** A request one component sent another on behalf of a request from outside. */
export interface InnerCall {
  component: string
  method: string
  /** Without the query, which may hold secrets. */
  path: string
  /** 0 while, or where, there was no answer. */
  status: number
}

/** Inner calls that are remembered for one request: enough to say what it was about. */
const MAX_INNER_CALLS = 32

/** Calls whose component is remembered, in their order: a guest may call another one as often as it likes. */
const MAX_CHAIN = 1000

/** Characters of a call's path that are remembered. */
const MAX_CALL_PATH = 1024

export interface CallTreeOptions {
  id: number
  /** Ids of all components; their order gives the numbers of {@link Seat}. */
  components: readonly string[]
  /** Of the request from outside. */
  headers?: readonly HeaderEntry[]
  /**
   * Calls that are answered 500 without being made: their guests took a whole thread down when the request was
   * tried before.
   */
  avoid?: readonly CallPlace[]
  /** Takes down what happens, where somebody wants to know. */
  trace?: TraceLog
  /** A guest is about to change something outside itself; told once for each guest. */
  onEffect?: (place: CallPlace) => void
  /** The last guest has ended. */
  onEnd?: () => void
}

export interface Endable {
  abandon(reason: string): void
}

/** A guest's place in the tree. */
export interface Place extends CallPlace {
  readonly seat: Seat
  effectTold: boolean
}

export class CallTree {
  /** When the request from outside began, by `performance.now()`. */
  readonly since = performance.now()
  readonly #options: CallTreeOptions
  readonly #counts = new Map<string, number>()
  readonly #guests = new Set<Endable>()
  #abandoned: string | undefined
  /** Components in the order in which they were called: the first of them. */
  readonly chain: string[] = []
  /** The first of its inner calls. */
  readonly calls: InnerCall[] = []
  readonly trace: TraceLog | undefined
  /** Number of its guests that could go on if their thread had time for them. */
  waitingForThread = 0
  /** The user a gateway named in its last request to a component. */
  principal: string | undefined

  constructor(options: CallTreeOptions) {
    this.#options = options
    this.trace = options.trace
  }

  /** The value a header of the request from outside has; `undefined` when it has none or several. */
  outside(name: string): string | undefined {
    const { headers = [] } = this.#options
    const [first, second] = headers.filter((entry) => entry[0] === name)
    return second === undefined ? first?.[1] : undefined
  }

  /** Takes a place for the next call to `component`. */
  place(component: string): Place {
    const { id, components } = this.#options
    const index = components.indexOf(component)
    const nth = this.#counts.get(component) ?? 0
    // A guest may call names that no component has, as many as it can think of.
    if (index >= 0) this.#counts.set(component, nth + 1)
    if (this.chain.length < MAX_CHAIN) this.chain.push(component)
    const seat = { root: id, component: index, nth }
    return { component, nth, seat, effectTold: false }
  }

  /** Notes a call; whoever has its answer puts the status in. */
  noteCall(component: string, method: string, path: string): InnerCall {
    const known = path.slice(0, MAX_CALL_PATH).replace(/\?.*$/s, '')
    const call = { component, method, path: known, status: 0 }
    if (this.calls.length < MAX_INNER_CALLS) this.calls.push(call)
    return call
  }

  avoids({ component, nth }: CallPlace): boolean {
    const { avoid = [] } = this.#options
    return avoid.some((place) => place.component === component && place.nth === nth)
  }

  effect(place: Place): void {
    if (place.effectTold) return
    place.effectTold = true
    this.#options.onEffect?.({ component: place.component, nth: place.nth })
  }

  start(guest: Endable): void {
    this.#guests.add(guest)
    if (this.#abandoned !== undefined) guest.abandon(this.#abandoned)
  }

  end(guest: Endable): void {
    if (this.#guests.delete(guest) && this.#guests.size === 0) this.#options.onEnd?.()
  }

  /** Ends every guest that works for the request. */
  abandon(reason: string): void {
    this.#abandoned = reason
    for (const guest of [...this.#guests]) guest.abandon(reason)
  }
}
