import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCRIPT_TARGETS, type ScriptTarget } from '../build/script-bundle.ts'
import { buildScripts } from './build-scripts.ts'
import { WORKER_FILES_LIMIT } from './check-target.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-refusals-'))
  await writeFile(join(folder, 'tool.ts'), 'export const tools = []')
  await writeFile(join(folder, 'large.bin'), Buffer.alloc(WORKER_FILES_LIMIT + 1))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const component = (id: string, more: string, ftl: string, entry: string) => `
[[trigger.http]]
route = ${id === 'gateway' ? '"/..."' : '{ private = true }'}
component = "${id}"
[component.${id}]
source = "dist/${id}.wasm"
${more}
[component.${id}.tool.ftl]
${entry === '' ? '' : `entry = "${entry}"`}
${ftl}
`

interface Case {
  /** Of the component `tool`. */
  more?: string
  /** Of its table `tool.ftl`. */
  ftl?: string
  entry?: string
  /** After all tables. */
  rest?: string
}

async function refusal(
  target: ScriptTarget,
  single: boolean,
  { more = '', ftl = '', entry = 'tool.ts', rest = '' }: Case,
): Promise<string> {
  const gateway = component('gateway', 'variables = { tool_components = "tool" }', '', 'tool.ts')
  const text = `spin_manifest_version = 2
[application]
name = "refused"
${gateway}${component('tool', more, ftl, entry)}${rest}`
  const from = join(folder, 'spin.toml')
  await writeFile(from, text)
  return buildScripts({ from, ids: ['tool'], target, single }).then(
    () => 'it was built',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

/** What no script can have. */
const EVERYWHERE: [string, Case, RegExp][] = [
  [
    'a network of allowed hosts',
    { more: 'allowed_outbound_hosts = ["http://10.0.0.0/8"]' },
    /has the network http:\/\/10\.0\.0\.0\/8, which is not checked on/,
  ],
  [
    'the application itself as a host',
    { more: 'allowed_outbound_hosts = ["http://self"]' },
    /has http:\/\/self: there is no address of the application itself/,
  ],
  ['environment variables', { more: 'environment = { A = "1" }' }, /environment: .* Use variables/],
  ['a limit of computing', { ftl: 'compute_limit_ms = 5' }, /tool has compute_limit_ms/],
  [
    'a store that others share',
    { more: 'key_value_stores = ["s"]', ftl: 'shared_stores = ["s"]' },
    /tool has shared_stores/,
  ],
  ['a component that ftl does not build', { entry: '' }, /tool has no entry/],
  ['an entry that is not there', { entry: 'nothing.ts' }, /nothing\.ts/],
]

describe.each(SCRIPT_TARGETS)('--target %s refuses', (target) => {
  it.each(EVERYWHERE)('%s', async (_, given, message) => {
    for (const single of [false, true]) {
      const refused = await refusal(target, single, given)
      expect(refused).toMatch(message)
      expect(refused).toContain(single ? '' : 'tool')
    }
  })

  it('with --single, a route that no component serves', async () => {
    const rest = '[[trigger.http]]\nroute = "/hello"\nstatic_response = { body = "hi" }\n'
    expect(await refusal(target, true, { rest })).toBe(
      `--target ${target}: the route /hello has a static_response, which only Spin serves: let a component answer it`,
    )
  })
})

it('--target workers refuses stores whose bindings would be one', async () => {
  const more = 'key_value_stores = ["my-notes", "my.notes"]'
  expect(await refusal('workers', false, { more })).toContain(
    '"my-notes" and "my.notes" would both be KV_MY_NOTES: rename one of them',
  )
})

it('--target workers refuses files that are too large for a Worker', async () => {
  const message = await refusal('workers', false, { more: 'files = ["large.bin"]' })
  expect(message).toContain(`its files have ${WORKER_FILES_LIMIT + 1} bytes`)
})

it('--target node refuses every host, which would be this machine as well', async () => {
  const more = 'allowed_outbound_hosts = ["https://*:*"]'
  expect(await refusal('node', false, { more })).toContain('would allow this machine')
  expect(await refusal('workers', false, { more })).not.toContain('would allow this machine')
})
