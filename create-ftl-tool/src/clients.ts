/** Connects an MCP client to a new application: a file that the client reads in its folder, or lines to paste. */
import { NewFailure } from './failure.ts'

/** Where `npm run dev` serves, unless the port is taken. */
const URL = 'http://127.0.0.1:3000/mcp'

export interface McpClient {
  id: string
  title: string
  /** Path of the file in the application; `undefined` if the client reads only a file of the user's own. */
  file?: string
  /** The configuration, as JSON. @param name of the server. */
  config: (name: string) => unknown
  /** What else there is to do. */
  then: string
}

const http = { type: 'http', url: URL }

export const CLIENTS: readonly McpClient[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    file: '.mcp.json',
    config: (name) => ({ mcpServers: { [name]: http } }),
    then: 'start "claude" in this folder, and approve the server',
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    // It starts processes only, and has one file for all folders.
    config: (name) => ({
      mcpServers: { [name]: { command: 'npx', args: ['-y', 'mcp-remote', URL] } },
    }),
    then: 'add this to claude_desktop_config.json (Settings, Developer, Edit Config), and restart Claude Desktop',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    file: '.cursor/mcp.json',
    config: (name) => ({ mcpServers: { [name]: { url: URL } } }),
    then: 'open this folder in Cursor, and enable the server in its settings',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    file: '.vscode/mcp.json',
    config: (name) => ({ servers: { [name]: http } }),
    then: 'open this folder in VS Code, open .vscode/mcp.json, and choose Start',
  },
]

/**
 * @param list ids separated by commas; empty or `none` for no client.
 * @throws {NewFailure} for an id that is not known.
 */
export function clientsOf(list: string): McpClient[] {
  const ids = [...new Set(list.split(',').map((each) => each.trim()))].filter(
    (id) => id !== '' && id !== 'none',
  )
  return ids.map((id) => {
    const found = CLIENTS.find((each) => each.id === id)
    if (found) return found
    const all = CLIENTS.map((each) => each.id).join(', ')
    throw new NewFailure(`there is no client "${id}"; there are ${all}, none`)
  })
}

/** Files of the clients that read one in the application's folder, by path. */
export function clientFiles(name: string, clients: readonly McpClient[]): Map<string, string> {
  return new Map(
    clients.flatMap(({ file, config }) =>
      file === undefined ? [] : [[file, `${json(config(name))}\n`] as const],
    ),
  )
}

/** What a person does next with each client. */
export function clientLines(name: string, clients: readonly McpClient[]): string[] {
  return clients.flatMap(({ title, file, config, then }) => [
    `${title}: ${then}`,
    ...(file === undefined
      ? json(config(name))
          .split('\n')
          .map((line) => `  ${line}`)
      : []),
  ])
}

const json = (value: unknown) => JSON.stringify(value, undefined, 2)
