/**
 * A client of one MCP server for pages: `import { BrowserClient } from 'ftl-client/browser'`. It speaks Streamable HTTP,
 * with whatever `fetch` the page gives it.
 *
 * @module
 */
import type { ClientCapabilities } from '@modelcontextprotocol/client'
import { type Answers, capabilitiesOf, register } from './answers-to-server.ts'
import { type CallOptions, Caller, type ProgressOptions, type ToolResult } from './tool-call.ts'
import { StateError } from './errors.ts'
import { explain } from './explain.ts'
import { HttpTransport } from './transport/http-transport.ts'
import { PendingRequests } from './transport/pending-requests.ts'
import { Wire } from './wire.ts'

export interface BrowserOptions {
  /** How the client introduces itself. */
  info: { name: string; version: string }
  /** Handlers for requests of the server. @default none */
  answers?: Answers
  /** What the client declares. @default tasks, and what `answers` has handlers for */
  capabilities?: ClientCapabilities
  /** Sends the requests, for example as the user of the page. */
  fetch: typeof fetch
  /** Receives each notification of the server but progress, which belongs to a call. @default none */
  onNotification?: (method: string, params: Readonly<Record<string, unknown>>) => void
  /** Milliseconds to connect. @default 20_000 */
  timeoutMs?: number
}

export interface BrowserCallOptions extends CallOptions {
  /** `_meta` of the request. @default none */
  meta?: Record<string, unknown>
}

const CONNECT_MS = 20_000
/** In `_meta` of a request: the least severe log messages that its server may send. */
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel'
/** Limit of pages in a list, because a server may page in circles. */
const MOST_PAGES = 100

export class BrowserClient {
  readonly #wire: Wire
  readonly #caller: Caller
  readonly #transport: HttpTransport
  readonly #explained: (error: unknown, what: string) => Error
  #logLevel = ''

  /** @throws {ClientError} */
  static async connect(
    { url, headers }: { url: string; headers?: Record<string, string> },
    {
      info,
      answers = {},
      capabilities,
      fetch,
      onNotification,
      timeoutMs = CONNECT_MS,
    }: BrowserOptions,
  ): Promise<BrowserClient> {
    const pending = new PendingRequests()
    const name = new URL(url).host
    const transport = new HttpTransport(
      { url, ...(headers && { headers }) },
      { name, pending, fetch },
    )
    const wire = new Wire(info, pending, {
      capabilities: capabilities ?? capabilitiesOf(answers),
      versionNegotiation: { mode: 'auto' },
      listMaxPages: MOST_PAGES,
    })
    register(wire, answers)
    if (onNotification) {
      wire.fallbackNotificationHandler = async ({ method, params = {} }) =>
        onNotification(method, params)
    }
    try {
      await wire.connect(transport, { timeout: timeoutMs })
    } catch (error) {
      await transport.close().catch(() => undefined)
      throw explain(error, { what: 'initialize', name })
    }
    return new BrowserClient(wire, transport, name, answers)
  }

  private constructor(wire: Wire, transport: HttpTransport, name: string, answers: Answers) {
    this.#wire = wire
    this.#transport = transport
    this.#explained = (error, what) => explain(error, { what, name })
    this.#caller = new Caller({
      wire: () => wire,
      // The page shows what came, also where it does not fit the schema.
      schemaOf: () => undefined,
      explained: (error, what, signal) => explain(error, { what, name, signal }),
      answers,
    })
  }

  /** The negotiated revision of the protocol. */
  get revision(): string | undefined {
    return this.#wire.getNegotiatedProtocolVersion()
  }

  /** Whether each request carries the revision, as in 2026-07-28. Before, a handshake chose it. */
  get isModern(): boolean {
    return this.#wire.getProtocolEra() === 'modern'
  }

  /** Whether the server keeps a session for this client. */
  get hasSession(): boolean {
    return this.#transport.sessionId !== undefined
  }

  /** How the server describes itself; unchecked. */
  get server(): Readonly<Record<string, unknown>> {
    return { ...this.#wire.getServerVersion() }
  }

  /** What the server says about using it, for models; unchecked. */
  get instructions(): string | undefined {
    return this.#wire.getInstructions()
  }

  get capabilities(): Readonly<Record<string, unknown>> {
    return this.#wire.getServerCapabilities() ?? {}
  }

  /** @throws {ClientError} A tool that fails does not throw: its result has `isError`. */
  callTool(
    tool: string,
    args: Record<string, unknown>,
    { meta, ...options }: BrowserCallOptions,
  ): Promise<ToolResult> {
    const level = this.#levelInMeta()
    const all = meta || level ? { ...meta, ...level } : undefined
    return this.#caller.call(tool, args, options, all)
  }

  /** Sends any other request; its result is not validated. @throws {ClientError} */
  request(
    method: string,
    params: Record<string, unknown> = {},
    options: ProgressOptions = {},
  ): Promise<Record<string, unknown>> {
    const level = this.#levelInMeta()
    return this.#caller.request(method, level ? { ...params, _meta: level } : params, options)
  }

  /**
   * Requests log messages of this severity and above. Since 2026-07-28 the level is part of each later request, and
   * an empty one requests none.
   *
   * @throws {ClientError}
   */
  async setLogLevel(level: string): Promise<void> {
    this.#logLevel = level
    if (!this.isModern && level !== '') await this.request('logging/setLevel', { level })
  }

  /** Milliseconds until the server has answered: to `ping`, or since 2026-07-28, which has none, to `server/discover`. */
  async roundTrip(): Promise<number> {
    const started = performance.now()
    await this.request(this.isModern ? 'server/discover' : 'ping')
    return performance.now() - started
  }

  /**
   * Subscribes to changes of a resource; they arrive as notifications.
   *
   * @returns what ends it. @throws {ClientError}
   */
  async subscribe(uri: string, onEnd: () => void): Promise<() => Promise<void>> {
    if (!this.isModern) {
      await this.request('resources/subscribe', { uri })
      return async () => void (await this.request('resources/unsubscribe', { uri }))
    }
    try {
      const subscription = await this.#wire.listen({ resourceSubscriptions: [uri] })
      if (!subscription.honoredFilter.resourceSubscriptions?.includes(uri)) {
        await subscription.close()
        throw new StateError(`the server does not report changes of ${uri}`)
      }
      void subscription.closed.then((how) => how !== 'local' && onEnd())
      return () => subscription.close()
    } catch (error) {
      throw this.#explained(error, 'subscriptions/listen')
    }
  }

  /** Also ends the session, if the server keeps one. */
  async close(): Promise<void> {
    await this.#transport.terminateSession().catch(() => undefined)
    await this.#wire.close()
  }

  #levelInMeta(): Record<string, string> | undefined {
    return this.isModern && this.#logLevel !== '' ? { [LOG_LEVEL]: this.#logLevel } : undefined
  }
}

export type { Answers } from './answers-to-server.ts'
export type { Progress } from './jobs/progress.ts'
export { RpcError } from './errors.ts'
