/**
 * Options of commands that connect to MCP servers. They are separate from the code that connects, because every `ftl`
 * command loads this file, and loading the client takes a quarter of a second.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ProtocolChoice } from 'ftl-client'
import { tokenOption } from './token-option.ts'

/** Files that list a project's servers, used when `--config` is not given. */
export const CONFIG_FILES = ['.mcp.json', '.vscode/mcp.json']

export interface ServerFlags {
  server?: string
  config?: string
  url?: string
  header: Record<string, string>
  token?: string
  protocol?: ProtocolChoice
  timeout: number
  json?: boolean
}

export function withServerOptions(command: Command): Command {
  return command
    .option('--server <name>', 'one server of the file of `--config`')
    .option(
      '--config <file>',
      `servers in the format of Claude or VS Code: ${CONFIG_FILES.map((file) => `\`${file}\``).join(', ')}`,
    )
    .option('--url <url>', 'URL of one server (the application of this folder)')
    .addOption(
      new Option('--header <name:value>', 'header for every request to `--url`; repeatable')
        .default({})
        .argParser(collectHeader),
    )
    .addOption(tokenOption())
    .addOption(
      new Option('--protocol <revision>', 'revision of the protocol').choices([
        'auto',
        'legacy',
        '2026-07-28',
      ]),
    )
    .option('--timeout <seconds>', 'time to wait without a response or progress', parseTimeout, 60)
    .option('--json', 'print JSON')
}

function collectHeader(text: string, before: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('give name: value, for example "authorization: Bearer x"')
  }
  return { ...before, [name]: value }
}

function parseTimeout(text: string): number {
  const seconds = Number(text)
  if (!(seconds > 0 && seconds <= 86_400)) {
    throw new InvalidArgumentError('give a number of seconds, more than 0 and at most 86400')
  }
  return seconds
}
