/** Where the process that runs guests begins. It serves what the command sends it, and ends with the command. */
import { rmSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import type { Host, HostOptions } from '../host-options.ts'
import type { ApplicationSettings } from '../runtime-config/application-settings.ts'
import type { EventName, FromHost, ToHost } from './messages.ts'

/** Milliseconds to tell the command why this process ends. */
const LAST_WORDS_MS = 1000

let host: Host | undefined
let application: ApplicationSettings | undefined

/** `process.exit` waits for threads, also for one that does not end. */
const end = () => process.kill(process.pid, 'SIGKILL')

const send = (message: FromHost, sent: () => void = () => {}) => {
  if (process.connected) process.send?.(message, undefined, undefined, () => sent())
}

// The command has ended, however it did: this process keeps neither its port nor its state.
process.on('disconnect', () => {
  rmSync(tmpdir(), { recursive: true, force: true })
  end()
})
// A terminal's Ctrl-C reaches both processes; the command says when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

process.on('message', (message: ToHost) => {
  if (message.type === 'start') void start(message)
  else if (message.type === 'reload') void reload(message.application)
  else void close()
})

async function start({ options, ...message }: Extract<ToHost, { type: 'start' }>): Promise<void> {
  ;({ application } = message)
  try {
    if (message.codeCacheDir !== undefined) enableCompileCache(message.codeCacheDir)
    const { EventSender } = await import('./event-sender.ts')
    const { serveApplication } = await import('../host.ts')
    const sender = new EventSender(send)
    host = await serveApplication(
      {
        ...options,
        ...callbacks(message.events, (name, entry) => sender.add(name, entry)),
        onFatal: (error) => void fatal(error),
      },
      async () => application as ApplicationSettings,
      // This process is alone: it does nothing else.
      true,
    )
    sender.flush()
    send({ type: 'ready', url: host.url })
  } catch (error) {
    const { toWire } = await import('./messages.ts')
    send({ type: 'failed', error: toWire(error) })
  }
}

function callbacks(
  names: readonly EventName[],
  add: (name: EventName, entry: unknown) => void,
): Partial<HostOptions> {
  return Object.fromEntries(names.map((name) => [name, (entry: unknown) => add(name, entry)]))
}

async function reload(next: ApplicationSettings): Promise<void> {
  const { toWire } = await import('./messages.ts')
  const before = application
  application = next
  const error = await host?.reload().then(
    () => undefined,
    (error: unknown) => toWire(error),
  )
  if (error) application = before
  send({ type: 'reloaded', error })
}

async function close(): Promise<void> {
  // Threads that do not end end with the process.
  await host?.close().catch(() => {})
  flushCompileCache()
  send({ type: 'closed' })
}

async function fatal(error: Error): Promise<void> {
  setTimeout(end, LAST_WORDS_MS)
  const { toWire } = await import('./messages.ts')
  send({ type: 'fatal', error: toWire(error) }, end)
}
