import { fileURLToPath } from 'node:url'
import { Client, type ClientOptions, type ProcessConfig } from 'ftl-client'

const MISBEHAVING = fileURLToPath(new URL('servers/misbehaving.ts', import.meta.url))

/** The server that does wrong what `fault` names. */
export function misbehaving(fault = 'none'): ProcessConfig {
  return { command: process.execPath, args: [MISBEHAVING, fault] }
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
