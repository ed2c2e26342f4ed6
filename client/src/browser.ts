/**
 * A client of one MCP server for pages: `import { BrowserClient } from 'ftl-client/browser'`. It speaks Streamable HTTP,
 * with whatever `fetch` the page gives it.
 *
 * @module
 */
import type { ClientCapabilities } from '@modelcontextprotocol/client'
import { type Answers, capabilitiesOf, register } from './answers.ts'
import { type CallOptions, Caller, type ProgressOptions, type ToolResult } from './caller.ts'
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
  /** Milliseconds to connect. @default 20_000 */
  timeoutMs?: number
}

export interface BrowserCallOptions extends CallOptions {
  /** `_meta` of the request. @default none */
  meta?: Record<string, unknown>
}

const CONNECT_MS = 20_000
/** Limit of pages in a list, because a server may page in circles. */
const MOST_PAGES = 100

export class BrowserClient {
  readonly #wire: Wire
  readonly #caller: Caller

  /** @throws {ClientError} */
  static async connect(
    { url, headers }: { url: string; headers?: Record<string, string> },
    { info, answers = {}, capabilities, fetch, timeoutMs = CONNECT_MS }: BrowserOptions,
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
    try {
      await wire.connect(transport, { timeout: timeoutMs })
    } catch (error) {
      await transport.close().catch(() => undefined)
      throw explain(error, { what: 'initialize', name })
    }
    return new BrowserClient(wire, name, answers)
  }

  private constructor(wire: Wire, name: string, answers: Answers) {
    this.#wire = wire
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

  get server(): { name: string; version: string } | undefined {
    return this.#wire.getServerVersion()
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
    return this.#caller.call(tool, args, options, meta)
  }

  /** Sends any other request; its result is not validated. @throws {ClientError} */
  request(
    method: string,
    params: Record<string, unknown> = {},
    options: ProgressOptions = {},
  ): Promise<Record<string, unknown>> {
    return this.#caller.request(method, params, options)
  }

  close(): Promise<void> {
    return this.#wire.close()
  }
}

export type { Answers } from './answers.ts'
export type { Progress } from './jobs/progress.ts'
export { RpcError } from './errors.ts'
