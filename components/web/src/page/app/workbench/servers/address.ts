/** Checks the address of a server before anything is sent: what the page's policy does not allow fails without a reason. */

/** @returns the address, or what is wrong with it and what to do. */
export function readAddress(
  typed: string,
  { allowed, page }: { allowed: readonly string[]; page: URL },
): { url: URL } | { problem: string } {
  const url = toUrl(typed.trim())
  if (!url)
    return { problem: 'Enter the address of an MCP endpoint, such as https://mcp.example/mcp.' }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'Leave the user name and the password out of the address. Use a token.' }
  }
  url.hash = ''
  if (url.origin === page.origin) {
    const problem = 'This is the gateway itself. Choose "This gateway" in the list of servers.'
    return url.pathname === '/mcp' ? { problem } : { url }
  }
  const isMixed = page.protocol === 'https:' && url.protocol === 'http:' && !isThisMachine(url)
  if (isMixed) {
    return { problem: 'Browsers allow a page at an https address to request https addresses only.' }
  }
  if (!allowed.some((source) => allows(source, url))) return { problem: refusal(url) }
  return { url }
}

/** What the document says about the policy, which the browser enforces. */
export function allowedServers(): string[] {
  const { servers = '' } = document.documentElement.dataset
  return servers.split(' ').filter((source) => source !== '')
}

function toUrl(typed: string): URL | undefined {
  try {
    const url = new URL(/^[\w.-]+(:\d+)?(\/|$)/.test(typed) ? `${schemeOf(typed)}${typed}` : typed)
    return /^https?:$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

function schemeOf(typed: string): string {
  return /^(localhost|127\.)/.test(typed) ? 'http://' : 'https://'
}

function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+)$/.test(hostname)
}

/** @see https://www.w3.org/TR/CSP3/#match-url-to-source-expression */
function allows(source: string, url: URL): boolean {
  if (source === 'https:') return url.protocol === 'https:'
  const [, origin = '', port] = /^(\w+:\/\/[^:/]+)(?::(.+))?$/.exec(source) ?? []
  const { protocol, hostname } = url
  if (`${protocol}//${hostname}` !== origin) return false
  const standard = protocol === 'https:' ? '443' : '80'
  return port === '*' || (url.port || standard) === (port ?? standard)
}

function refusal(url: URL): string {
  // CSP has no source for this address.
  if (url.hostname === '[::1]') return 'Write localhost or 127.0.0.1 in place of [::1].'
  return (
    `The policy of this page does not allow requests to ${url.origin}. The operator of the gateway can allow them: ` +
    `set the variable page_servers to "${url.origin}", then reload the page.`
  )
}
