/** Makes a handler's context from the contract's headers. */
import {
  CALLER_HEADER,
  DEADLINE_HEADER,
  IDEMPOTENCY_HEADER,
  LOG_LEVEL_HEADER,
  LOG_LEVELS,
  PREFER_HEADER,
  PRINCIPAL_HEADER,
  REQUEST_ID_HEADER,
  RESPOND_ASYNC,
} from 'ftl-contract'
import { logTo, type ProgressQueue, toStatus } from '../progress/progress-queue.ts'
import { callTool } from '../services/call-tool.ts'
import { fetchFor } from '../services/fetch.ts'
import { storeOf, variablesOf } from '../services/store-and-variables.ts'
import { callerOf } from '../tool/caller.ts'
import { capabilitiesIn, clientOf } from '../tool/client.ts'
import { Questions } from '../tool/elicit.ts'
import type { ContextPlatform, ToolContext } from '../tool/context.ts'
import type { ToolSet } from '../tool/create-tools.ts'
import { acceptsLines } from './lines.ts'
import { believedHeaders } from './believed-headers.ts'

/** @see https://www.w3.org/TR/trace-context/ */
const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage']
const DEFAULT_DEADLINE_MS = 30_000
/** A manifest may list one built component under several names, so its name is read from the address of the call. */
const INTERNAL_HOST = /^https?:\/\/([a-z0-9-]+)\.spin\.internal(?:[/?:]|$)/

/** A context, and the functions that release its timer. */
export interface OwnedContext {
  context: ToolContext
  /** Milliseconds since the epoch at which the call began. */
  started: number
  /** Collects the handler's progress and log lines; absent if the caller does not listen. */
  queue?: ProgressQueue
  /** The questions of the handler; absent if it asked none. */
  questions?: Questions
  /** Stops the deadline's timer, unless `keep` was called. */
  dispose: () => void
  /**
   * Keeps the context for an answer that continues after the call has returned. Call the returned function when the
   * answer ends: a running timer would keep the instance alive.
   */
  keep: () => (how: 'ended' | 'early') => void
}

/**
 * The getters are on the prototype and read the call through `own`, so a context costs only what the call uses, even if
 * another object inherits from it.
 */
class CallContext implements ToolContext {
  platform: ContextPlatform
  component: string
  requestId: string
  deadline: number
  respondAsync: boolean
  principal?: string
  idempotencyKey?: string
  inputResponses?: Readonly<Record<string, unknown>>
  requestState?: string
  protected readonly own: OwnCall

  constructor(own: OwnCall, platform: ContextPlatform, component: string) {
    const { headers } = own
    const preferred = headers.get(PREFER_HEADER)
    this.own = own
    this.platform = platform
    this.component = component
    this.requestId = headers.get(REQUEST_ID_HEADER) ?? ''
    this.deadline = own.deadline
    this.respondAsync = preferred === RESPOND_ASYNC || prefersAsync(preferred)
    const principal = headers.get(PRINCIPAL_HEADER)
    if (principal !== null) this.principal = principal
    const idempotencyKey = headers.get(IDEMPOTENCY_HEADER)
    if (idempotencyKey !== null) this.idempotencyKey = idempotencyKey
  }

  get trace() {
    return traceOf(this.own.headers)
  }
  get clientCapabilities() {
    return capabilitiesIn(this.own.headers)
  }
  get caller() {
    return callerOf(this.own.headers)
  }
  get client() {
    return clientOf(this.own.headers)
  }
  get listens() {
    return acceptsLines(this.own.headers)
  }
  get logLevel() {
    const { headers } = this.own
    return LOG_LEVELS.find((level) => level === headers.get(LOG_LEVEL_HEADER))
  }
  get signal() {
    return this.own.signal
  }
  get progress(): ToolContext['progress'] {
    const { own } = this
    return (update) => own.queue?.add(toStatus(update))
  }
  get log() {
    const { own } = this
    return (own.log ??= logTo((update) => own.queue?.add(update)))
  }
  get variables() {
    return variablesOf(this.platform, this.component)
  }
  get kv() {
    return (this.own.store ??= storeOf(this.platform, this.component))
  }
  get file(): ToolContext['file'] {
    return async (name) => (await this.own.openFile?.(name, this)) ?? new Response('', NOT_FOUND)
  }
  get fetch(): ToolContext['fetch'] {
    return (input, init) => fetchFor(this, input, init)
  }
  get elicit(): ToolContext['elicit'] {
    // The answers are known once the body has been read, which is before the handler runs.
    return (this.own.questions ??= new Questions(this)).ask
  }
  get callTool() {
    const { own } = this
    const call = (target: string, args: unknown) =>
      callTool(
        this,
        target,
        args,
        own.started + this.deadline - this.platform.now(),
        own.headers.get(CALLER_HEADER),
      )
    return call as ToolContext['callTool']
  }
}

const NOT_FOUND = { status: 404 }

/** The data of a call, and the objects created for it on first use. */
class OwnCall implements OwnedContext {
  readonly headers: Headers
  readonly deadline: number
  readonly context: ToolContext
  readonly openFile: ToolSet['file']
  started = 0
  queue?: ProgressQueue
  questions?: Questions
  log?: ToolContext['log']
  store?: ToolContext['kv']
  #controller: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #kept = false

  constructor(
    { headers, url }: Request,
    platform: ContextPlatform,
    component: string,
    openFile: ToolSet['file'],
  ) {
    this.headers = believedHeaders(headers)
    this.openFile = openFile
    this.deadline = positive(headers.get(DEADLINE_HEADER)) ?? DEFAULT_DEADLINE_MS
    this.context = new CallContext(this, platform, INTERNAL_HOST.exec(url)?.[1] ?? component)
  }

  // Created on first use: most tools never read it, and a timer costs host calls.
  get signal() {
    if (!this.#controller) {
      const created = (this.#controller = new AbortController())
      const after = `no answer within ${this.deadline} ms`
      this.#timer = setTimeout(
        () => created.abort(new DOMException(after, 'TimeoutError')),
        this.deadline,
      )
    }
    return this.#controller.signal
  }

  dispose() {
    if (!this.#kept) clearTimeout(this.#timer)
  }

  keep() {
    this.#kept = true
    return (how: 'ended' | 'early') => {
      clearTimeout(this.#timer)
      if (how === 'early') {
        this.#controller?.abort(new DOMException('the caller has gone', 'AbortError'))
      }
    }
  }
}

/**
 * @param component the name the component was built under, for calls from outside the application.
 * @param openFile serves the files of its jobs. @default it has none
 */
export function createContext(
  request: Request,
  platform: ContextPlatform,
  component: string,
  openFile?: ToolSet['file'],
): OwnedContext {
  return new OwnCall(request, platform, component, openFile)
}

function prefersAsync(preferred: string | null): boolean {
  return (preferred ?? '')
    .split(',')
    .some((preference) => preference.trim().toLowerCase() === RESPOND_ASYNC)
}

function positive(text: string | null): number | undefined {
  const value = Number(text)
  return value > 0 && value < Infinity ? value : undefined
}

function traceOf(headers: Headers): Record<string, string> | undefined {
  const sent = TRACE_HEADERS.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return sent.length > 0 ? Object.fromEntries(sent) : undefined
}
