// Output, options and variables of `spin up` at its start; skipped on other hosts, where there is no command to run.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startHost } from 'ftl-host'
import { freePort, ftl, type RunningCommand } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { type Folder, manifestText, temporaryFolder } from './variant.ts'
import { embeddedOnly } from '../support/embedded-only.ts'

let folder: Folder
const running: RunningCommand[] = []
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  for (const command of running.splice(0)) {
    command.signal('SIGTERM')
    await command.exited
  }
  await folder.remove()
})

interface UpOptions {
  args?: string[]
  env?: Record<string, string>
  from?: string
}

function up({ args = [], env = {}, from = MANIFESTS.fidelity }: UpOptions = {}): RunningCommand {
  const command = ftl(
    ['up', '--from', from, '--listen', '127.0.0.1:0', '--state-dir', '', ...args],
    { cwd: folder.path, env },
  )
  running.push(command)
  return command
}

async function serving(options: UpOptions = {}): Promise<string> {
  const command = up({ env: { SPIN_VARIABLE_REQUIRED: 'given' }, ...options })
  await command.printed('Available Routes:')
  return /Serving (\S+)/.exec(command.output())?.[1] ?? ''
}

async function failure(options: UpOptions): Promise<string> {
  const command = up({ env: { SPIN_VARIABLE_REQUIRED: 'given' }, ...options })
  expect(await command.exited).toBe(1)
  return command.output()
}

const get = async (url: string) => (await fetch(url)).text()

describe('at the start', embeddedOnly('tests options of ftl up'), () => {
  test('[spin:start-plain] it says where it serves, route by route', async () => {
    const command = up({ env: { SPIN_VARIABLE_REQUIRED: 'given' } })
    await command.printed('/static-default')
    const output = command.output()
    const [, url = ''] = /^Serving (http:\/\/127\.0\.0\.1:\d+)$/m.exec(output) ?? []
    expect(output).toContain('\nAvailable Routes:\n')
    expect(output).toContain(`\n  guest: ${url}/guest (wildcard)\n`)
    expect(output).toContain(`\n  guest: ${url}/exact\n`)
    expect(output).not.toContain('hidden')
  })

  test('[spin:start-json] or as JSON, with nothing else on standard output', async () => {
    const command = up({
      args: ['--format', 'json'],
      env: { SPIN_VARIABLE_REQUIRED: 'given' },
    })
    await command.printed(/\n\}\n/)
    const { base_url: url, routes } = JSON.parse(command.output()) as {
      base_url: string
      routes: unknown[]
    }
    expect(await get(`${url}/.well-known/spin/health`)).toBe('OK')
    expect(routes).toContainEqual({ id: 'guest', route: '/guest', wildcard: true })
    expect(routes).toContainEqual({ id: 'guest', route: '/exact', wildcard: false })
  })

  test('[spin:start-required] a required variable without a value ends it', async () => {
    expect(await failure({ env: {} })).toContain('"required" (SPIN_VARIABLE_REQUIRED)')
  })

  test('[spin:start-variables] --variable wins over the environment, which wins over .env', async () => {
    await folder.write('.env', 'SPIN_VARIABLE_REQUIRED=dotenv\nSPIN_VARIABLE_PLAIN=dotenv\n')
    expect(await get(`${await serving({ env: {} })}/guest/variable?name=both`)).toBe(
      '<dotenv|dotenv>',
    )
    await folder.write('more.json', '{"plain":"of JSON"}')
    await folder.write('value.txt', 'line')
    const url = await serving({
      args: ['--variable', '@more.json', '--variable', 'required=@value.txt'],
    })
    expect(await get(`${url}/guest/variable?name=both`)).toBe('<of JSON|line>')
  })

  test('[spin:start-listen] a port in use ends it, or the next free one is taken', async () => {
    const port = await freePort()
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const listen = ['--listen', `127.0.0.1:${port}`]
    expect(await failure({ args: listen })).toContain('already in use')
    const url = await serving({ args: [...listen, '--find-free-port'] })
    expect(Number(new URL(url).port)).toBeGreaterThan(port)
    await new Promise((resolve) => server.close(resolve))
  })

  test('[spin:start-select] --component-id serves some components, unless they call others', async () => {
    const url = await serving({ args: ['-c', 'hidden'] })
    expect((await fetch(`${url}/exact`)).status).toBe(404)
    expect(await failure({ args: ['-c', 'guest'] })).toContain('may call every other one')
  })

  test('[spin:start-logs] --log-dir keeps what components print', async () => {
    const logs = join(folder.path, 'logs')
    const url = await serving({ args: ['--log-dir', logs, '--quiet'] })
    await get(`${url}/guest/log`)
    // Lines reach the file by another process, which a response does not wait for.
    const kept = (stream: string) => () =>
      readFile(join(logs, `guest_${stream}.txt`), 'utf8').catch(() => '')
    await expect.poll(kept('stdout')).toBe('to standard output\n')
    await expect.poll(kept('stderr')).toBe('to standard error\n')
    expect(running.map((command) => command.output()).join('')).not.toContain('to standard')
  })

  test('[spin:start-refused] a flag that can mean nothing here is refused with a reason', async () => {
    expect(await failure({ args: ['--sqlite', 'CREATE TABLE x'] })).toContain('no SQLite databases')
  })

  describe('[spin:manifest] a wrong manifest ends it with the key', () => {
    test.each([
      ['name = "fidelity"', 'nome = "fidelity"', 'application.name: is missing'],
      ['[application]', '[application]\nextra = 1', 'application.extra: is not a key'],
      ['component = "lone"', 'component = "loan"', 'there is no [component.loan]'],
      ['"{{ plain }}"', '"{{ plan }}"', 'uses the variable "plan"'],
      ['"{{ plain }}"', '"{{ plain"', 'has "{{" without "}}"'],
      ['http://nosuch.spin.internal', 'nosuch.spin.internal', 'does not contain a scheme'],
      ['http://nosuch.spin.internal', 'http://a/b', 'must not include a path'],
      ['route = { private = true }', 'route = { private = false }', 'must be a path or'],
      [
        'key_value_stores = ["default"]',
        'key_value_stores = ["default", "cache"]',
        'unknown store "cache"',
      ],
      ['[[trigger.http]]\nroute = "bare"', '[[trigger.mqtt]]\nroute = "bare"', 'trigger.mqtt'],
    ])('%s: %s', async (before, after, message) => {
      const text = await manifestText()
      expect(text).toContain(before)
      const from = await folder.write('spin.toml', text.replace(before, after))
      const started = startHost({ manifest: from, variables: { required: '' } })
      await expect(started).rejects.toThrow(message)
    })
  })
})
