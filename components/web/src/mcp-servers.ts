/** Which other MCP servers the workbench of the page may request: an operator's decision, as a source of the page's policy. */
import type { Refuse, SettingVariables } from 'ftl-http'

export interface ServerSettings {
  /**
   * `page_servers`: origins, or `https:` for every https address, or `none`. Each is one more address that a script could
   * send data to, should it ever get past the rest of the policy.
   *
   * @default servers on this machine, if the page is opened on this machine
   */
  readonly servers: 'default' | readonly string[]
}

export const serverVariables: SettingVariables<ServerSettings> = {
  servers: ['page_servers', servers],
}

/** CSP has no source for the address `[::1]`. */
const THIS_MACHINE = ['http://localhost:*', 'http://127.0.0.1:*']

/** @param page its address. @returns sources for `connect-src`. */
export function allowedServers({ servers }: ServerSettings, { hostname }: URL): readonly string[] {
  if (servers !== 'default') return servers
  return /^(([\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) ? THIS_MACHINE : []
}

function servers(text: string, refuse: Refuse): ServerSettings['servers'] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  if (entries.length === 0) return 'default'
  if (entries.length === 1 && entries[0] === 'none') return []
  return entries.map((entry) => sourceOf(entry) ?? refuse(RULE))
}

const RULE =
  'must be origins such as https://mcp.example, "https:" for every https address, or "none"'

/** What ends a source of a policy cannot be in it. */
function sourceOf(entry: string): string | undefined {
  if (entry === 'https:') return entry
  return /^https?:\/\/[\w.-]+(:(\d{1,5}|\*))?$/.test(entry) ? entry.toLowerCase() : undefined
}
