// Stores and variables of the machine, and what becomes of them when a host dies.
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ftl, type RunningCommand } from '../support/command.ts'
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
    command.signal('SIGKILL')
    await command.exited
  }
  await folder.remove()
})

function up(from: string, ...args: string[]): RunningCommand {
  const command = ftl(['up', '--from', from, '--listen', '127.0.0.1:0', ...args], {
    cwd: folder.path,
  })
  running.push(command)
  return command
}

async function serving(from: string, ...args: string[]) {
  const command = up(from, ...args)
  await command.printed('Available Routes:')
  return { command, url: /Serving (\S+)/.exec(command.output())?.[1] ?? '' }
}

const json = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>

const GIVEN = ['--variable', 'required=given']

describe('a host', embeddedOnly('starts a host with a runtime configuration'), () => {
  test('[spin:runtime-config] has the stores and variables of its runtime configuration', async () => {
    const text = await manifestText()
    const from = await folder.write(
      'spin.toml',
      text.replaceAll('key_value_stores = ["default"]', 'key_value_stores = ["default", "cache"]'),
    )
    const file = await folder.write(
      'runtime.toml',
      `state_dir = "state"
[key_value_store.cache]
type = "spin"
path = "cache.db"
[[variables_provider]]
type = "static"
values = { required = "of the file" }
`,
    )
    const { url } = await serving(from, '--runtime-config-file', file)
    expect(await (await fetch(`${url}/guest/variable?name=both`)).text()).toContain('|of the file>')
    await json(`${url}/guest/kv?label=cache&key=k&set=cached`)
    expect(await json(`${url}/guest/kv?key=k`)).toMatchObject({ value: null })
    const database = new DatabaseSync(join(folder.path, 'cache.db'))
    expect(database.prepare('SELECT store, key FROM spin_key_value').all()).toEqual([
      { store: 'guest.cache', key: 'k' },
    ])
    database.close()
  })

  test('[spin:runtime-config-wrong] does not start with one it cannot follow', async () => {
    const file = await folder.write('runtime.toml', '[key_value_store.x]\ntype = "aws_dynamo"\n')
    const args = ['--state-dir', '', ...GIVEN, '--runtime-config-file', file]
    const command = up(MANIFESTS.fidelity, ...args)
    expect(await command.exited).toBe(1)
    expect(command.output()).toContain('"aws_dynamo" is not supported')
  })

  test('[spin:state-killed] that is killed while it writes has every entry it acknowledged', async () => {
    const args = ['--state-dir', join(folder.path, 'state'), ...GIVEN]
    const { command, url } = await serving(MANIFESTS.fidelity, ...args)
    const acknowledged: string[] = []
    const write = async (writer: number) => {
      for (let i = 0; ; i++) {
        const key = `${writer}-${i}`
        const response = await fetch(`${url}/guest/kv?key=${key}&set=value-${key}`).catch(
          () => null,
        )
        if (!response?.ok) return
        acknowledged.push(key)
        if (acknowledged.length === 60) command.signal('SIGKILL')
      }
    }
    await Promise.all([0, 1, 2].map(write))
    await command.exited
    expect(acknowledged.length).toBeGreaterThanOrEqual(60)
    const again = await serving(MANIFESTS.fidelity, ...args)
    for (const key of acknowledged) {
      expect(await json(`${again.url}/guest/kv?key=${key}`)).toMatchObject({
        value: `value-${key}`,
      })
    }
  })

  test('[spin:state-locked] that finds another one on its state says so, and ends', async () => {
    const args = ['--state-dir', join(folder.path, 'state'), ...GIVEN]
    const { command } = await serving(MANIFESTS.fidelity, ...args)
    const second = up(MANIFESTS.fidelity, ...args)
    expect(await second.exited).toBe(1)
    expect(second.output()).toContain('is already served at ')
    expect(second.output()).toContain(`(process ${command.pid})`)
  })
})
