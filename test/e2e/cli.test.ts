// The command itself: completion in a real bash, pipes that close, mistakes of typing, arguments from everywhere.
import { execFile, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'
import { FTL, ftl } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'

const run = promisify(execFile)
const has = (program: string) => spawnSync(program, ['--version']).status === 0

let application: TestApplication
let folder: string
/** Where `ftl` is a command by that name, as an installed one is. */
let path: string
beforeAll(async () => {
  application = await startApplication({ manifest: MANIFESTS.application })
  folder = await mkdtemp(join(tmpdir(), 'ftl-cli-'))
  await writeFile(join(folder, 'ftl'), `#!/bin/sh\nexec "${process.execPath}" "${FTL}" "$@"\n`)
  await chmod(join(folder, 'ftl'), 0o755)
  path = `${folder}:${process.env['PATH'] ?? ''}`
})
afterAll(async () => {
  await application.close()
  await rm(folder, { recursive: true, force: true })
})

const url = () => ['--url', `${application.url}/mcp`]

async function shell(script: string, program = 'bash'): Promise<string> {
  const { stdout } = await run(program, ['-c', script], {
    env: { ...process.env, PATH: path, NO_COLOR: '1' },
    cwd: folder,
  })
  return stdout
}

/** What bash would offer after these words, split as it splits them. */
async function bashOffers(...words: string[]): Promise<string[]> {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const output = await shell(`
    source <(ftl completion bash)
    complete -p ftl | grep -q -- '-F _ftl ftl' || exit 1
    COMP_WORDS=(ftl ${quoted}); COMP_CWORD=${words.length}
    _ftl
    printf '%s\\n' "\${COMPREPLY[@]}"`)
  return output.split('\n').filter((line) => line !== '')
}

describe.skipIf(!has('bash'))('completion in bash', () => {
  it.each<[string[], string[]]>([
    [['do'], ['doctor']],
    [
      ['workflows', ''],
      ['lint', 'init', 'templates', 'help'],
    ],
    [
      ['start', '--log-format', ''],
      ['plain', 'json'],
    ],
    [['start', '--log-format', '=', 'j'], ['json']],
  ])('%j: %j', async (words, offered) => {
    expect(await bashOffers(...words)).toEqual(offered)
  })

  it('knows the tools of the gateway after call', async () => {
    // As bash splits an address.
    const address = `${application.url}/mcp`.split(/(:)/)
    const offered = () => bashOffers('call', '--url', ...address, 'ca')
    // A busy machine needs longer than somebody waits with a finger on the key.
    await expect.poll(offered, { timeout: 20_000 }).toEqual(['calculator', 'cancel_job'])
  })

  it('offers files where a file is meant', async () => {
    await writeFile(join(folder, 'some.json'), '{}')
    expect(await bashOffers('up', '--from', 'so')).toEqual(['some.json'])
  })
})

it.each(['bash', 'zsh', 'fish'])('the script for %s is one its shell can read', async (name) => {
  const script = await shell(`ftl completion ${name}`)
  expect(script).toContain('ftl')
  if (!has(name)) return
  await writeFile(join(folder, `script.${name}`), script)
  await shell(`${name} -n script.${name}`)
})

it.skipIf(!has('bash'))('a reader that stops reading is not an error', async () => {
  const errors = await shell(
    `{ ftl tools ${url().join(' ')} | head -0; echo "\${PIPESTATUS[0]}"; } 2>&1`,
  )
  expect(errors).toBe('0\n')
})

describe('a mistake of typing', () => {
  it.each([
    [['strat'], 'Did you mean start?'],
    [['call', '--jsno'], 'Did you mean --json?'],
    [['workflows', 'lnit'], 'Did you mean '],
  ])('%j', async (args, hint) => {
    const command = ftl(args)
    expect(await command.exited).toBe(1)
    expect(command.output()).toContain(hint)
  })
})

describe('ftl call', () => {
  const call = async (...args: string[]) => {
    const command = ftl(['call', ...args, ...url()])
    return { code: await command.exited, output: command.output() }
  }

  it('takes arguments as options', async () => {
    expect(await call('echo', '--arg', 'message=Hello')).toEqual({ code: 0, output: 'Hello\n' })
    expect(await call('echo', '--args', '{"message":"Hi"}')).toEqual({ code: 0, output: 'Hi\n' })
  })

  it.skipIf(!has('bash'))('takes arguments from standard input and files', async () => {
    await writeFile(join(folder, 'in.json'), '{"message":"from a file"}')
    const address = url().join(' ')
    expect(await shell(`ftl call echo --args @in.json ${address}`)).toBe('from a file\n')
    expect(await shell(`ftl call echo --args - ${address} < in.json`)).toBe('from a file\n')
  })

  it('ends with a code of its own when the tool failed', async () => {
    const { code, output } = await call('calculator', 'expression=1/')
    expect(code).toBe(5)
    expect(output).not.toMatch(/\n +at /)
  })
})

it('ftl build --json says what was done', async () => {
  const command = ftl(['build', 'echo', '--json'])
  expect(await command.exited).toBe(0)
  expect(JSON.parse(command.output())).toMatchObject({ components: [{ id: 'echo' }] })
})
