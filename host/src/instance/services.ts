/**
 * The services that the host provides to a component. Each is a small interface, so that a worker thread can
 * implement it in its own way.
 */
import type { FileTree } from '../files/file-tree.ts'
import type { HeaderEntry } from '../http/header-rules.ts'
import type { KeyValueStore } from '../kv/key-value.ts'
import type { HostShare } from './host-share.ts'
import type { CallTree, Place } from './call-tree.ts'
import type { HttpRequest, HttpResponse } from '../http/messages.ts'
import type { Pipe } from '../http/pipe.ts'
import type { VariableError } from '../variables/variable-error.ts'
import type { LogStream } from '../wire/messages.ts'

export interface GuestRequest extends HttpRequest {
  /** Number of components between the client and this one. */
  depth: number
  /** The request from outside this one belongs to, and the guest's place in it. */
  tree?: CallTree
  place?: Place
  /** Id of the parent span: the caller's, replaced by the guest's own once it runs. */
  span?: string | undefined
}

export interface OutboundRequest {
  method: string
  scheme: string
  authority: string
  path: string
  headers: readonly HeaderEntry[]
  body: Pipe
  connectTimeoutMs: number
  firstByteTimeoutMs: number
  betweenBytesTimeoutMs: number
  /** Fires when the guest no longer waits for the response. */
  signal: AbortSignal
}

/** The guest a request comes from. */
export interface Caller {
  readonly depth: number
  readonly tree?: CallTree | undefined
  /** Id of the span of this very call. */
  readonly span?: string | undefined
  /** Reports that the guest is about to change something outside itself. */
  noteEffect(): void
}

/** Sends a component's requests to another component or to the network. */
export interface Outbound {
  /** @throws {HttpError} with the code that the guest sees. */
  send(request: OutboundRequest, caller: Caller): Promise<HttpResponse>
  /** Tells the operator of a request that a component sends although it was built without the network. */
  withhold?(request: Pick<OutboundRequest, 'scheme' | 'authority'>, caller: Caller): void
}

export interface ComponentServices {
  /** The component's id. */
  readonly component: string
  /** Whether requests may carry a trace. */
  readonly traced?: boolean
  /** @default {@link DEFAULT_HOST_SHARE} */
  readonly limits?: HostShare
  readonly environment: Readonly<Record<string, string>>
  readonly outbound: Outbound
  readonly files: FileTree
  /** @throws {KeyValueError} when the component may not use the label. */
  openStore(label: string): KeyValueStore
  /**
   * @returns an error that is known already: to throw it takes longer than all else here.
   * @throws {VariableError}
   */
  variable(name: string, tree?: CallTree): string | VariableError
  /** @returns `true` for a line of the audit log, which does not count as output. */
  log(stream: LogStream, line: string, tree?: CallTree): boolean | undefined
  /** The wall clock, in milliseconds since 1970. @default Date.now */
  now?(): number
  /** The 16 bytes of an id. @default random ones */
  randomId?(): Uint8Array
}
