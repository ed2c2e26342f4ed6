import { fileURLToPath } from 'node:url'
import { Client, type ClientOptions, type ProcessConfig } from 'ftl-client'

const MISBEHAVING = fileURLToPath(new URL('servers/misbehaving.ts', import.meta.url))

/** The server that does wrong what `fault` names. */
export function misbehaving(fault = 'none'): ProcessConfig {
  return { command: process.execPath, args: [MISBEHAVING, fault] }
}

/** A server of the official SDK, for all revisions, that needs 2.5 s to start. */
export function slowModern(): ProcessConfig {
  const path = fileURLToPath(new URL('servers/slow-modern.ts', import.meta.url))
  return { command: process.execPath, args: [path] }
}

/** An official server, as npm installed it. */
export function official(
  name: 'filesystem' | 'memory' | 'everything',
  ...args: string[]
): ProcessConfig {
  const path = `../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL(path, import.meta.url)), ...args],
  }
}

export async function ready(config: ProcessConfig, options?: ClientOptions): Promise<Client> {
  const client = await Client.connect(config, options)
  await client.initialize()
  return client
}

/** The text of a result's first content. */
export function textOf({ content }: { content: readonly object[] }): unknown {
  return (content[0] as { text?: unknown } | undefined)?.text
}
