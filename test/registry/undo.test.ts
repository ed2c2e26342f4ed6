// A component that fails its test leaves the application as it was: manifest, lock and files.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type HostileApplication, writeApplication } from '../hostile/support/application.ts'
import { gatewayOver, publisher as component } from '../hostile/support/publisher.ts'
import { built } from '../hostile/support/wat.ts'
import { ftl } from '../support/command.ts'

let application: HostileApplication

/** A schema of arguments must be one of an object. */
const bad = await component({
  tools: [{ name: 'pay', description: 'Pays.', inputSchema: { type: 'string' } }],
})
const good = await built('echo')

// Each starts programs.
const SLOW = { timeout: 120_000 }

beforeEach(async () => {
  application = await writeApplication({ gateway: await gatewayOver(['none']) })
})
afterEach(() => application.remove())

/** Every file that adding may write, with its content. */
async function state(): Promise<Record<string, string>> {
  const { folder } = application
  const names = [
    ...(await readdir(folder)),
    ...(await readdir(join(folder, 'added')).catch(() => [])),
  ]
  const files = names.filter((name) => /^(spin\.toml|ftl\.lock|pay\.wasm)$/.test(name))
  const contents = files.map(async (name) => {
    const path = name.endsWith('.wasm') ? `added/${name}` : name
    return [path, await readFile(join(folder, path), 'latin1')] as const
  })
  return Object.fromEntries([
    ...(await Promise.all(contents)),
    ['folder', String(names.includes('added'))],
  ])
}

async function add(wasm: Uint8Array, args: string[] = ['./pay-new.wasm']): Promise<string> {
  await writeFile(join(application.folder, 'pay-new.wasm'), wasm)
  const command = ftl(['add', ...args, '--name', 'pay', '--yes'], { cwd: application.folder })
  await command.exited
  return command.output()
}

it('a component that fails is removed again', SLOW, async () => {
  const before = await state()
  const output = await add(bad)
  expect(output).toContain('was removed again')
  expect(output).toMatch(/[1-9]\d* failed/)
  expect(await state()).toEqual(before)
})

it(
  'a component that is good stays, and an update of it that fails brings back the version before',
  SLOW,
  async () => {
    await add(good)
    const before = await state()
    expect(Object.keys(before).sort()).toEqual([
      'added/pay.wasm',
      'folder',
      'ftl.lock',
      'spin.toml',
    ])
    const output = await add(bad, ['pay', '--update'])
    expect(output).toContain('was removed again')
    expect(await state()).toEqual(before)
  },
)

it('a component that fails stays with --no-test', SLOW, async () => {
  await add(bad, ['./pay-new.wasm', '--no-test'])
  expect((await state())['added/pay.wasm']).toBeDefined()
})
