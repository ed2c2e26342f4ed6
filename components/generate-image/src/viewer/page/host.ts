/**
 * The host as a JSON-RPC peer over `postMessage`.
 *
 * The official `App` class would add half a megabyte of schemas to a small page, so the protocol is implemented here.
 */
import { type HostContext, type Initialized, type News, PROTOCOL_VERSION } from './host-protocol.ts'

export interface Host {
  /** @throws {Error} with the host's message. */
  request<R>(method: string, params: object): Promise<R>
  notify(method: string, params?: object): void
}

/** Handlers of the host's notifications. */
export type Listeners = { [Method in keyof News]: (params: News[Method]) => void } & {
  /** The host is about to remove the page. */
  teardown(): void
}

interface Message {
  jsonrpc: '2.0'
  id?: string | number
  method?: string
  params?: object
  result?: unknown
  error?: { message?: string }
}

const METHOD_NOT_FOUND = -32601

/** Exchanges messages with the parent window, and ignores those of every other window. */
export function openHost(listeners: Listeners): Host {
  const waiting = new Map<unknown, (answer: Message) => void>()
  let lastId = 0
  // The host's origin is not known in advance, so any parent window may receive the messages.
  const send = (message: Omit<Message, 'jsonrpc'>) =>
    window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

  window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !isMessage(data)) return
    const { id, method, params } = data
    if (method === undefined) {
      waiting.get(id)?.(data)
      waiting.delete(id)
    } else if (id === undefined) {
      const listener = Object.hasOwn(listeners, method) && listeners[method as keyof News]
      if (listener) listener(params ?? {})
    } else if (method === 'ping' || method === 'ui/resource-teardown') {
      if (method !== 'ping') listeners.teardown()
      send({ id, result: {} })
    } else {
      const error = { code: METHOD_NOT_FOUND, message: `${method} is not known here` }
      send({ id, error })
    }
  })

  return {
    request<R>(method: string, params: object) {
      const id = ++lastId
      return new Promise<R>((resolve, reject) => {
        waiting.set(id, ({ result, error }) => {
          if (error) reject(new Error(error.message ?? 'The host refused.'))
          else resolve(result as R)
        })
        send({ id, method, params })
      })
    },
    notify: (method, params = {}) => send({ method, params }),
  }
}

/** The handshake; the host sends notifications only after it. */
export async function greet(host: Host): Promise<Initialized> {
  const initialized = await host.request<Initialized>('ui/initialize', {
    appInfo: { name: 'generate-image viewer', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    protocolVersion: PROTOCOL_VERSION,
  })
  host.notify('ui/notifications/initialized')
  return initialized
}

function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && (data as Message).jsonrpc === '2.0'
}

/** Applies the theme and style variables of the host. It sends only what has changed. */
export function applyTheme({ theme, styles }: HostContext): void {
  const root = document.documentElement
  if (theme !== undefined) root.dataset.theme = theme
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && typeof value === 'string') root.style.setProperty(name, value)
  }
}

/** The theme of the system, for a host that names none. */
export function systemTheme(): HostContext {
  const dark = window.matchMedia('(prefers-color-scheme: dark)').matches
  return { theme: dark ? 'dark' : 'light' }
}

/** Reports the size of the page now and whenever it changes. */
export function watchSize(report: (size: { width: number; height: number }) => void): void {
  const { body } = document
  let last = ''
  new ResizeObserver(() => {
    const { width, height } = body.getBoundingClientRect()
    const size = { width: Math.ceil(width), height: Math.ceil(height) }
    if (last === (last = JSON.stringify(size))) return
    report(size)
  }).observe(body)
}
