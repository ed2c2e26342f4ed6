/**
 * The host side of one MCP App: the official bridge, with the page's rules at each message.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'
import { asArray, asRecord } from '../net/api.ts'
import type { Tool } from '../net/tools.ts'
import type { AppCall, Ask, HostEvents, Mode } from './app-call.ts'
import { contextFor, resultOf } from './context.ts'
import { watchLook } from './look.ts'
import { type AppPage, sandboxAddress } from './read-app.ts'
import { createQuota, heightOf, linkOf, textOf } from './rules.ts'
import { readFile } from './save-file.ts'
import type { AppServer } from './server.ts'

export interface AppHost {
  /** Passes on what has changed of the call. */
  update(call: AppCall): void
  setMode(mode: Mode): void
  /** Tells the app, and waits for it a moment. */
  close(): Promise<void>
}

export interface HostOptions {
  frame: HTMLIFrameElement
  tool: Tool
  page: AppPage
  server: AppServer
  call: AppCall
  on: HostEvents
}

/** Milliseconds an app may take to introduce itself. */
const START_MS = 15_000
const TEARDOWN_MS = 500
/** In a minute: links, files and messages. */
const MOST_QUESTIONS = 20
/** Of one request. The person is asked for each. */
const MOST_FILES = 10
const STOPPED = 'ui/notifications/sandbox-stopped'

export async function openApp(options: HostOptions): Promise<AppHost> {
  const { frame, tool, page, server, on } = options
  const { contentWindow } = frame
  if (!contentWindow) throw new Error('there is no frame')
  let mode: Mode = 'inline'
  let isStarted = false
  let sent: Partial<AppCall> = {}
  let call = options.call
  const ended = new AbortController()
  const permissions = page.mayWriteClipboard ? { clipboardWrite: {} } : {}
  const bridge = new AppBridge(
    null,
    { name: 'ftl page', version: '0.1.0' },
    {
      openLinks: {},
      downloadFile: {},
      serverTools: {},
      serverResources: {},
      logging: {},
      message: { text: {} },
      updateModelContext: { text: {} },
      sandbox: {
        permissions,
        csp: {
          connectDomains: page.domains.connect,
          resourceDomains: page.domains.resource,
          frameDomains: page.domains.frame,
          baseUriDomains: page.domains.base,
        },
      },
    },
    { hostContext: context() },
  )

  function context() {
    return contextFor({ tool, mode, width: frame.clientWidth, jobId: call.jobId })
  }

  const mayAsk = createQuota(MOST_QUESTIONS)
  const decided = (make: (decide: (isAccepted: boolean) => void) => Ask) => {
    if (!mayAsk()) throw new Error('The app asks the user too often. Try again in a minute.')
    return new Promise<boolean>((resolve) => on.ask(make(resolve)))
  }

  bridge.onsandboxready = () => {
    void bridge.sendSandboxResourceReady({ html: page.html, permissions })
  }
  bridge.oninitialized = () => {
    isStarted = true
    clearTimeout(timer)
    on.started()
    pass()
  }
  bridge.onsizechange = ({ height }) => {
    const pixels = heightOf(height, innerHeight)
    if (pixels !== undefined) on.height(pixels)
  }
  bridge.onopenlink = async ({ url }) => {
    const link = linkOf(url)
    if (!link) throw new Error('Only addresses that begin with http: or https: can be opened.')
    return (await decided((decide) => ({ kind: 'link', url: link, decide }))) ? {} : REFUSED
  }
  bridge.onmessage = async ({ content }) => {
    const said = textOf(content)
    if (said === '') throw new Error('Only text can be sent to the chat.')
    return (await decided((decide) => ({ kind: 'message', text: said, decide }))) ? {} : REFUSED
  }
  bridge.onupdatemodelcontext = async ({ content, structuredContent }) => {
    const said = textOf(content) || (structuredContent ? JSON.stringify(structuredContent) : '')
    // The app does not wait: the person may add the note at any time.
    if (said !== '') on.ask({ kind: 'note', text: said.slice(0, 4_000), decide: () => undefined })
    return {}
  }
  bridge.ondownloadfile = async ({ contents }) => {
    const files = asArray(contents).map(readFile)
    if (files.length === 0 || files.length > MOST_FILES) return REFUSED
    for (const file of files) {
      if (!file) return REFUSED
      if (!(await decided((decide) => ({ kind: 'file', file, decide })))) return REFUSED
    }
    return {}
  }
  bridge.onrequestdisplaymode = async ({ mode: wanted }) => {
    if (wanted !== 'pip' && supports(wanted)) mode = on.mode(wanted)
    return { mode }
  }
  bridge.onloggingmessage = ({ level, data }) => {
    const line = typeof data === 'string' ? data : JSON.stringify(data)
    on.log(`${level}: ${line}`.slice(0, 500))
  }
  bridge.onrequestteardown = () => void host.close().then(on.closed)
  bridge.oncalltool = async ({ name, arguments: args = {}, _meta }, { mcpReq }) => {
    on.log(`tools/call ${name}`.slice(0, 500))
    const signal = AbortSignal.any([ended.signal, mcpReq.signal])
    return (await server.call(name, args, _meta, signal)) as never
  }
  bridge.onreadresource = async ({ uri }) => {
    on.log(`resources/read ${uri}`.slice(0, 500))
    return (await server.read(uri)) as never
  }
  // Of the page's own sandbox; the official bridge does not know it.
  const onStopped = ({ source, data }: MessageEvent<unknown>) => {
    if (source !== contentWindow || asRecord(data)['method'] !== STOPPED) return
    on.failed('The app sent too many messages, so this page has stopped it.')
    void host.close()
  }
  addEventListener('message', onStopped)

  function supports(wanted: Mode): boolean {
    const { availableDisplayModes } = bridge.getAppCapabilities() ?? {}
    return availableDisplayModes?.includes(wanted) ?? true
  }

  /** Sends each part of the call once. */
  function pass(): void {
    if (!isStarted) return
    if (!sent.args) {
      sent = { args: call.args }
      void bridge.sendToolInput({ arguments: call.args })
    }
    if (call.jobId !== undefined && sent.jobId === undefined) {
      sent.jobId = call.jobId
      bridge.setHostContext(context())
    }
    if (call.result !== undefined && sent.result === undefined) {
      sent.result = call.result
      void bridge.sendToolResult(resultOf(call.result))
    } else if (call.failure !== undefined && sent.failure === undefined && !sent.result) {
      sent.failure = call.failure
      void bridge.sendToolCancelled({ reason: call.failure })
    }
  }

  const stopWatching = watchLook(() => isStarted && bridge.setHostContext(context()))
  const timer = setTimeout(
    () => on.failed('The app did not start: it sent no ui/initialize within 15 seconds.'),
    START_MS,
  )
  await bridge.connect(new PostMessageTransport(contentWindow, contentWindow))
  frame.src = sandboxAddress(page)

  let closing: Promise<void> | undefined
  const host: AppHost = {
    update(changed) {
      call = changed
      pass()
    },
    setMode(wanted) {
      mode = wanted
      if (isStarted) bridge.setHostContext(context())
    },
    close: () =>
      (closing ??= (async () => {
        clearTimeout(timer)
        stopWatching()
        removeEventListener('message', onStopped)
        ended.abort()
        if (isStarted && frame.isConnected) {
          await bridge.teardownResource({}, { timeout: TEARDOWN_MS }).catch(() => undefined)
        }
        await bridge.close()
      })()),
  }
  return host
}

const REFUSED = { isError: true }
