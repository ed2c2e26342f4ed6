/**
 * A chat client with MCP Apps, as small as one can be: the official client, the official host side, a frame. Runs in a browser.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
import {
  AppBridge,
  getToolUiResourceUri,
  type McpUiHostCapabilities,
  type McpUiResourceMeta,
  PostMessageTransport,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/app-bridge'
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'

export interface ShowOptions {
  url: string
  tool: string
  arguments: Record<string, unknown>
  mode?: VersionNegotiationMode
  /** Given to the tool and the viewer in place of calling it. */
  result?: object
  /** In place of all a host can do. */
  capabilities?: McpUiHostCapabilities
}

export interface AppHost {
  show(options: ShowOptions): Promise<void>
  setTheme(theme: 'light' | 'dark', variables?: Record<string, string>): void
  cancelled(reason: string): Promise<void>
  teardown(): Promise<unknown>
  /** Whom the viewer asked to open, what it told the model, how large it said it is. */
  opened: string[]
  context: unknown[]
  /** Files that the viewer asked to save. */
  downloads: unknown[]
  sizes: { width?: number; height?: number }[]
  /** The tool's result, as the client got it. */
  result?: object
}

const ALL: McpUiHostCapabilities = {
  openLinks: {},
  downloadFile: {},
  serverTools: {},
  serverResources: {},
  updateModelContext: { text: {} },
}

let bridge: AppBridge | undefined

const host: AppHost = {
  opened: [],
  context: [],
  downloads: [],
  sizes: [],

  async show({ url, tool: name, arguments: given, mode, result, capabilities = ALL }) {
    const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } }
    const client = new Client(
      { name: 'app host', version: '1.0.0' },
      { capabilities: { extensions }, ...(mode && { versionNegotiation: { mode } }) },
    )
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
    const { tools } = await client.listTools()
    const tool = tools.find((each) => each.name === name)
    const uri = tool && getToolUiResourceUri(tool)
    if (!tool || uri === undefined) throw new Error(`${name} has no page`)
    const { contents } = await client.readResource({ uri })
    const [content] = contents
    if (!content || !('text' in content) || content.mimeType !== RESOURCE_MIME_TYPE) {
      throw new Error(`${uri} is no page`)
    }
    const frame = document.querySelector('iframe')
    const { contentWindow } = frame ?? {}
    if (!frame || !contentWindow) throw new Error('there is no frame')

    bridge = new AppBridge(client, { name: 'app host', version: '1.0.0' }, capabilities, {
      hostContext: {
        theme: 'light',
        toolInfo: { tool },
        displayMode: 'inline',
        ...(capabilities.openLinks && { availableDisplayModes: ['inline', 'fullscreen'] }),
      },
    })
    bridge.onopenlink = async ({ url: address }) => {
      host.opened.push(address)
      return {}
    }
    bridge.ondownloadfile = async ({ contents }) => {
      host.downloads.push(...contents)
      return {}
    }
    bridge.onrequestdisplaymode = async ({ mode }) => ({ mode })
    bridge.onupdatemodelcontext = async (params) => {
      host.context.push(params)
      return {}
    }
    bridge.addEventListener('sizechange', (size) => {
      host.sizes.push(size)
      if (size.height !== undefined) frame.style.height = `${size.height}px`
    })
    const ready = new Promise<void>((resolve) =>
      bridge?.addEventListener('initialized', () => resolve()),
    )
    await bridge.connect(new PostMessageTransport(contentWindow, contentWindow))
    const meta = content._meta as { ui?: McpUiResourceMeta } | undefined
    frame.srcdoc = withPolicy(content.text, meta?.ui?.csp)
    await ready
    await bridge.sendToolInput({ arguments: given })
    const answered = result ?? (await client.callTool({ name, arguments: given }))
    host.result = answered
    await bridge.sendToolResult(answered as Parameters<AppBridge['sendToolResult']>[0])
  },

  setTheme(theme, variables) {
    const styles = variables && { variables: variables as never }
    bridge?.setHostContext({ theme, ...(styles && { styles }) })
  },
  cancelled: async (reason) => bridge?.sendToolCancelled({ reason }),
  teardown: async () => bridge?.teardownResource({}),
}

/** As the specification says a host makes it of what the page declares. */
function withPolicy(html: string, csp: McpUiResourceMeta['csp'] = {}): string {
  const { resourceDomains = [], connectDomains = [] } = csp
  const from = resourceDomains.join(' ')
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline' ${from}`,
    `style-src 'self' 'unsafe-inline' ${from}`,
    `connect-src 'self' ${connectDomains.join(' ')}`,
    `img-src 'self' data: ${from}`,
    `font-src 'self' ${from}`,
    `media-src 'self' data: ${from}`,
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'self'",
  ].join('; ')
  return html.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
  )
}

Object.assign(globalThis, { appHost: host })
