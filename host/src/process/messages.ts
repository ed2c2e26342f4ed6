/** Messages between the command and the process that runs guests. */
import { AuditFileError } from '../audit/audit-file.ts'
import type { HostOptions } from '../host-options.ts'
import { RateLimitError } from '../limits/rate-limit-options.ts'
import { ManifestError } from '../manifest/manifest.ts'
import { LostThreadsError } from '../pool/lost-threads.ts'
import { PrepareError } from '../prepare/prepare.ts'
import type { ApplicationSettings } from '../runtime-config/application-settings.ts'
import { PortInUseError } from '../server/listen-address.ts'
import { StateDirInUseError } from '../kv/state-lock.ts'
import { TelemetryError } from '../telemetry/settings.ts'

/** The callbacks for events, which are called in the order in which the events happen. */
export const EVENTS = [
  'onLog',
  'onRequest',
  'onError',
  'onProgress',
  'onGeneric',
  'onWorkerLost',
] as const

export type EventName = (typeof EVENTS)[number]

/** Name of the callback, and its argument. */
export type HostEvent = readonly [name: EventName, entry: unknown]

/** Options without callbacks; values that the application's settings contain are left out. */
export type PlainOptions = Omit<HostOptions, EventName | 'onFatal'>

export type ToHost =
  | {
      type: 'start'
      options: PlainOptions
      application: ApplicationSettings
      codeCacheDir: string | undefined
      /** The callbacks that the caller gave. */
      events: readonly EventName[]
    }
  | { type: 'reload'; application: ApplicationSettings }
  | { type: 'close' }

export type FromHost =
  | { type: 'ready'; url: string }
  | { type: 'failed'; error: WireError }
  | { type: 'reloaded'; error: WireError | undefined }
  | { type: 'closed' }
  | { type: 'fatal'; error: WireError }
  | { type: 'events'; events: readonly HostEvent[] }

/** An error as plain data: a clone of it would lose its class. */
export interface WireError {
  name: string
  message: string
  stack: string | undefined
  /** Its own fields, such as the port that is in use. */
  fields: Readonly<Record<string, string | number>>
}

/** Classes that callers look for. */
const CLASSES = new Map<string, object>(
  Object.entries({
    AuditFileError,
    LostThreadsError,
    ManifestError,
    PortInUseError,
    PrepareError,
    RateLimitError,
    StateDirInUseError,
    TelemetryError,
  }).map(([name, { prototype }]) => [name, prototype]),
)

export function toWire(error: unknown): WireError {
  if (!(error instanceof Error)) {
    return { name: 'Error', message: String(error), stack: undefined, fields: {} }
  }
  const { name, message, stack } = error
  const fields = Object.entries(error).filter((entry): entry is [string, string | number] =>
    ['string', 'number'].includes(typeof entry[1]),
  )
  return { name, message, stack, fields: Object.fromEntries(fields) }
}

export function fromWire({ name, message, stack, fields }: WireError): Error {
  const error = new Error(message)
  const prototype = CLASSES.get(name)
  if (prototype) Object.setPrototypeOf(error, prototype)
  return Object.assign(error, fields, stack === undefined ? {} : { stack })
}
