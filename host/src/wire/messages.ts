/** Messages between the main thread and a worker. All of them can be cloned between threads. */
import type { HeaderEntry } from '../http/header-rules.ts'
import type { GatewayReport, RequestHead } from '../http/messages.ts'
import type { InnerCall } from '../requests/request-entry.ts'
import type { HttpErrorCode } from '../http/http-error.ts'
import type { TraceContext } from '../requests/trace-context.ts'
import type { Done } from './request-end.ts'

export type LogStream = 'stdout' | 'stderr'

/** One of the calls a request makes: its component, and the number of earlier calls to that component. */
export interface CallPlace {
  component: string
  nth: number
}

/** What a component needs to know of a caller in another thread. */
export interface CallOrigin {
  /** Number of components between the client and this one. */
  readonly depth: number
  /** Headers of the request from outside. */
  readonly headers: readonly HeaderEntry[]
  /** By header: what a gateway said about the user. */
  readonly callers: readonly HeaderEntry[]
}

/** A complete body; `undefined` if it follows in pieces. */
export type WholeBody = Uint8Array | undefined

/**
 * Pieces of a body, and its reader's replies. Both directions.
 *
 * `id`: of a request, which the main thread numbers from 1, or of a call to another thread, which the worker numbers from
 * -1 downwards.
 */
export type BodyMessage =
  | { type: 'chunk'; id: number; bytes: Uint8Array }
  | { type: 'end'; id: number }
  | { type: 'fail'; id: number; code: HttpErrorCode; message: string }
  /** The reader has taken this many bytes. */
  | { type: 'ack'; id: number; bytes: number }
  /** The reader has stopped reading. */
  | { type: 'cancel'; id: number }

export type ToWorker =
  | BodyMessage
  | {
      type: 'request'
      id: number
      component: string
      head: RequestHead
      body: WholeBody
      /** The main thread may take it back until it begins. See {@link Claims}. */
      offered: boolean
      avoid: readonly CallPlace[]
      /** The parent of its spans; `undefined` when the request is not traced. */
      trace: TraceContext | undefined
      /** Who it comes from: what they call of a component has one share of a thread that is shared by {@link keyOf}. */
      sender: string
      /** It is the call of a guest in another thread. */
      origin?: CallOrigin | undefined
    }
  /** The client disconnected before it got a response. */
  | { type: 'left'; id: number }
  /** Everything the request started must end: it timed out or was evicted. */
  | { type: 'abandon'; id: number; reason: string }
  /** The address at which the application listens. */
  | { type: 'self'; host: string; port: number }
  /** From now on, guests have shares of the thread: some of them compute for long. */
  | { type: 'share' }
  /** The answer to a `call`. */
  | {
      type: 'answer'
      id: number
      status: number
      headers: readonly HeaderEntry[]
      body: WholeBody
      /** Of a gateway that was called for it. */
      report: GatewayReport | undefined
    }
  /** A `call` has no answer. */
  | { type: 'unanswered'; id: number; code: HttpErrorCode; message: string }
  | { type: 'close' }

export type FromWorker =
  | BodyMessage
  | { type: 'ready' }
  /** The worker cannot start. */
  | { type: 'unfit'; message: string }
  | {
      type: 'response'
      id: number
      status: number
      headers: readonly HeaderEntry[]
      body: WholeBody
      /** Components called so far. */
      chain: readonly string[]
      calls: readonly InnerCall[]
      report: GatewayReport
      /** Every guest has ended by now: a message of its own would wake the other thread once more. */
      done?: Done
    }
  /** There is no response. */
  | { type: 'refused'; id: number; code: HttpErrorCode; message: string }
  /** A guest is about to change something outside itself: repeating the request would be noticed. */
  | { type: 'effect'; id: number; place: CallPlace }
  /** A guest calls a component that does not run in this thread. `request`: the one it works for. */
  | {
      type: 'call'
      id: number
      request: number
      component: string
      /** See {@link CallPlace}. */
      nth: number
      head: RequestHead
      body: WholeBody
      origin: CallOrigin
      trace: TraceContext | undefined
    }
  /** The guest no longer waits for the answer to a `call`. */
  | { type: 'left'; id: number }
  /** A guest computed for long without waiting. `component`: its number. `ms`: of processor time. */
  | { type: 'turn'; component: number; request: number; ms: number }
  /** The component's own engine ended a guest that computed for too long. */
  | { type: 'exhausted'; component: string; request: number | undefined }
  /** Every guest of the request has ended. */
  | ({ type: 'done'; id: number } & Done)
  /** `request`: the one it was printed for; `undefined` outside of any. */
  | { type: 'log'; component: string; stream: LogStream; line: string; request: number | undefined }
  | { type: 'problem'; component: string; message: string; request: number | undefined }
  /** Something waits until the lines in the shared memory are in the audit log. */
  | { type: 'audit' }
  /** A gateway reports about a request that is watched. */
  | { type: 'noted'; line: string; request: number }

export type Post<Message> = (message: Message, transfer?: ArrayBuffer[]) => void
