/**
 * What the main thread and a worker tell each other. Everything here can be cloned between threads.
 *
 * @module
 */
import type { CallPlace, InnerCall } from '../instance/call-tree.ts'
import type { HttpErrorCode } from '../instance/http-error.ts'
import type { HeaderEntry, LogStream } from '../instance/services.ts'
import type { TraceContext } from '../telemetry/trace-context.ts'
import type { SpanRecord } from '../telemetry/trace-log.ts'

/** Bytes of a body that is whole already; `undefined`: pieces follow. */
export type WholeBody = Uint8Array | undefined

export interface RequestHead {
  method: string
  scheme: 'http' | 'https'
  authority: string
  path: string
  headers: readonly HeaderEntry[]
}

/** Pieces of a body, and what its reader answers. Both directions. */
export type BodyMessage =
  | { type: 'chunk'; id: number; bytes: Uint8Array }
  | { type: 'end'; id: number }
  | { type: 'fail'; id: number; code: HttpErrorCode; message: string }
  /** The reader took so many bytes. */
  | { type: 'ack'; id: number; bytes: number }
  /** The reader wants no more. */
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
      /** Where its spans belong; `undefined` when nobody wants any. */
      trace: TraceContext | undefined
    }
  /** The client has gone before it had a response. */
  | { type: 'left'; id: number }
  /** The time is up for everything the request started. */
  | { type: 'abandon'; id: number; reason: string }
  /** Where the application listens. */
  | { type: 'self'; host: string; port: number }
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
      /** Components called until now. */
      chain: readonly string[]
      calls: readonly InnerCall[]
    }
  /** There is no response. */
  | { type: 'refused'; id: number; code: HttpErrorCode; message: string }
  /** A guest is about to change something outside itself: the request cannot be repeated unseen. */
  | { type: 'effect'; id: number; place: CallPlace }
  /** Every guest of the request has ended. */
  | {
      type: 'done'
      id: number
      chain: readonly string[]
      calls: readonly InnerCall[]
      /** With a trace only. */
      spans: readonly SpanRecord[] | undefined
      droppedSpans: number
    }
  | { type: 'log'; component: string; stream: LogStream; line: string }
  | { type: 'problem'; component: string; message: string }

export type Post<Message> = (message: Message, transfer?: ArrayBuffer[]) => void
