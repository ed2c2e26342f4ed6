// What servers, components and registries say ends up on a terminal, which obeys control characters.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ESLint, Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { atTerminal, hasTerminal } from '../support/at-terminal.ts'
import { ftl, REPOSITORY } from '../support/command.ts'
import { attack as bounded } from './support/attack.ts'

/** Each starts several commands, which take seconds on a busy machine. */
const PATIENCE_MS = 180_000

const attack = (name: string, run: () => Promise<string>) => bounded(name, run, PATIENCE_MS)

const SERVER = fileURLToPath(new URL('./support/escaping-server.ts', import.meta.url))
const CODES = '\x1b]52;c;ZXZpbA==\x07\x1b[2J\x9b2J\rfake\u202egnp'

// Everything that moves, hides or turns text. Lines of a terminal end with a carriage return.
const RAW =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\r?\n)/

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-terminal-'))
  const evil = { command: process.execPath, args: [SERVER] }
  await writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { evil } }))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Both streams in pipes, and, where there is one, the screen of a terminal. */
async function printed(...args: string[]): Promise<string[]> {
  const piped = ftl(args, { cwd: folder })
  const shown = hasTerminal ? atTerminal(args, [], { cwd: folder }) : undefined
  await piped.exited
  return shown ? [piped.output(), (await shown).screen] : [piped.output()]
}

async function harmless(args: string[], says: string): Promise<void> {
  for (const text of await printed(...args)) {
    expect(text).toContain(says)
    expect(JSON.stringify(RAW.exec(text)?.[0] ?? ''), text).toBe('""')
  }
}

const SHOWN = '\\x1b]52;c;ZXZpbA==\\x07'

attack('escape codes in the error of a tool, as of a ComfyUI node', async () => {
  await harmless(['call', 'fails', '--server', 'evil'], `the node failed ${SHOWN}`)
  return 'shown as \\x1b'
})

attack('escape codes in an error of the protocol', async () => {
  await harmless(['call', 'refuses', '--server', 'evil'], `refused ${SHOWN}`)
  await harmless(['call', 'refuses', '--server', 'evil', '--json'], 'refused \\u001b]52')
  return 'shown as \\x1b, and as \\u001b in JSON'
})

attack('escape codes in names, descriptions and fields of tools', async () => {
  await harmless(['tools', '--server', 'evil'], `says ${SHOWN}`)
  await harmless(['tools', 'fails', '--server', 'evil'], SHOWN)
  await harmless(['tools', '--server', 'evil', '--json'], 'says \\u001b]52')
  return 'shown as \\x1b'
})

attack('escape codes in what a server behind bridge-stdio logs', async () => {
  const args = ['bridge-stdio', '--listen', '127.0.0.1:0', '--', process.execPath, SERVER]
  const command = ftl(args, { cwd: folder })
  await command.printed('Serving')
  await command.printed('log of the server')
  command.signal('SIGINT')
  await command.exited
  expect(command.output()).toContain(`log of the server ${SHOWN}`)
  expect(command.output()).not.toMatch(RAW)
  return 'shown as \\x1b'
})

attack('escape codes in what a component says of itself to ftl test', async () => {
  const tools = [{ name: `t${CODES}`, description: CODES, inputSchema: { type: CODES } }]
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ tools, content: [{ type: CODES }], [CODES]: CODES }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    const { port } = server.address() as AddressInfo
    await harmless(['test', `http://127.0.0.1:${port}`], 'failed')
    await harmless(['test', `http://127.0.0.1:${port}`, '--json'], 'failed')
  } finally {
    server.close()
  }
  return 'shown as \\x1b'
})

attack('escape codes in what was typed for the user, or copied from a page', async () => {
  await harmless(['call', `no\x1b[2Jsuch`, '--server', 'evil'], 'refused')
  await harmless([`no\x1b[2Jsuch`], 'unknown command')
  await harmless(['add', `npm:no\x1b]52;c;x\x07such`, '--from', REPOSITORY], 'must be the name')
  return 'shown as \\x1b'
})

it(
  'our own colours have an effect, and those of a server have none',
  async () => {
    const child = spawn(
      process.execPath,
      [join(REPOSITORY, 'cli/bin/ftl.mjs'), 'tools', '--server', 'evil'],
      { cwd: folder, env: { ...process.env, FORCE_COLOR: '1', NO_COLOR: undefined } },
    )
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await new Promise((done) => child.on('close', done))
    expect(text).toContain('\x1b[36m')
    expect(text.replaceAll(/\x1b\[(36|39|1|22|2)m/g, '')).not.toMatch(RAW)
  },
  PATIENCE_MS,
)

it(
  'the linter finds every other way to write to the terminal',
  async () => {
    const config = (await new ESLint({ cwd: REPOSITORY }).calculateConfigForFile(
      'cli/src/commands/call.ts',
    )) as { rules: Linter.RulesRecord }
    const rule = config.rules['no-restricted-syntax'] ?? 'off'
    const parser = tseslint.parser as Linter.Parser
    const findings = (code: string) =>
      new Linter().verify(
        code,
        [
          {
            files: ['**/*.ts'],
            languageOptions: { parser },
            rules: { 'no-restricted-syntax': rule },
          },
        ],
        'a.ts',
      ).length
    for (const code of [
      'console.log(text)',
      'console.error(text)',
      'const print = console.info',
      'process.stdout.write(text)',
      'const { stderr } = process; stderr.write(text)',
      'pipeline(body, process.stderr)',
      "import { stdout } from 'node:process'",
      'line(JSON.stringify(answer))',
      'styleText("red", text)',
      'line(`\\x1b[1m${text}`)',
    ])
      expect(findings(code), code).toBeGreaterThan(0)
    expect(findings('line(text); note(text); put(text)')).toBe(0)
  },
  PATIENCE_MS,
)
