/**
 * The proxy between the page and an MCP App, which it shows in a frame of its own: so an app can neither change the proxy
 * nor navigate its frame, and every message passes here.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
import { asObject } from 'ftl-contract'
import { createGate } from './message-gate.ts'
import { guard } from './guard.ts'

const OWN = 'ui/notifications/sandbox-'

/** The page's: this document has the same address, although its own origin is opaque. */
const page = location.origin
const gate = createGate()
/** Without it no script runs here or in the app. */
const nonce = document.querySelector('script')?.nonce ?? ''
const FIRST = `<!doctype html><meta http-equiv="x-dns-prefetch-control" content="off"><script nonce="${nonce}">(${guard.toString()})()</script>`
let app: HTMLIFrameElement | undefined

addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
  if (source === null) return
  if (source === parent && origin === page) fromPage(data)
  else if (source === app?.contentWindow) fromApp(data)
})

if (parent !== window) toPage({ jsonrpc: '2.0', method: `${OWN}proxy-ready`, params: {} })

function fromPage(data: unknown): void {
  const { method, params } = asObject(data)
  if (method === `${OWN}resource-ready`) show(asObject(params))
  // An app has an opaque origin, which cannot be named.
  else if (!isOwn(method)) app?.contentWindow?.postMessage(data, '*')
}

function show({ html, permissions }: Record<string, unknown>): void {
  if (app || typeof html !== 'string') return
  app = document.createElement('iframe')
  app.setAttribute('sandbox', 'allow-scripts allow-forms')
  app.title = 'An app'
  if ('clipboardWrite' in asObject(permissions)) app.allow = 'clipboard-write'
  app.srcdoc = FIRST + html
  document.body.append(app)
}

function fromApp(data: unknown): void {
  const passed = gate(data)
  if (passed.kind === 'stop') {
    app?.remove()
    toPage({ jsonrpc: '2.0', method: `${OWN}stopped`, params: { reason: passed.reason } })
  } else if (passed.kind === 'message' && !isOwn(asObject(passed.message).method)) {
    toPage(passed.message)
  }
}

function toPage(message: unknown): void {
  parent.postMessage(message, page)
}

function isOwn(method: unknown): boolean {
  return typeof method === 'string' && method.startsWith(OWN)
}
