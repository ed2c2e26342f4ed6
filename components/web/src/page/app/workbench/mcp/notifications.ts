/** What servers have reported without being asked: log messages, changes of lists and of resources. */
import { asRecord, text } from '../../net/api.ts'
import { createStore } from '../../store.ts'

export interface Notification {
  number: number
  /** Id of the server; empty for this gateway. */
  server: string
  method: string
  /** Of a log message. */
  level: string
  logger: string
  params: Readonly<Record<string, unknown>>
  /** Milliseconds since 1970. */
  at: number
}

/** The newest first. */
export const notifications = createStore<readonly Notification[]>([])

const MOST = 300
/** The list is drawn this often at most, in milliseconds, however many a server sends. */
const REDRAW_MS = 100
let waiting: Notification[] = []
let count = 0

export function noteNotification(
  server: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
): void {
  const { level, logger } = asRecord(params)
  const note = { level: text(level) ?? '', logger: text(logger) ?? '', params, at: Date.now() }
  waiting.unshift({ number: ++count, server, method, ...note })
  if (waiting.length > MOST) waiting.length = MOST
  if (waiting.length === 1) setTimeout(show, REDRAW_MS)
}

export function clearNotifications(server: string): void {
  waiting = waiting.filter((one) => one.server !== server)
  notifications.set((all) => all.filter((one) => one.server !== server))
}

function show(): void {
  const added = waiting
  waiting = []
  notifications.set((all) => [...added, ...all].slice(0, MOST))
}
