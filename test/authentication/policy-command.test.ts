// `ftl policy` and what `ftl up` says of a policy, in a terminal, with an application of two components.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ftl, REPOSITORY } from '../support/command.ts'

let folder: string

const wasm = (id: string) => JSON.stringify(join(REPOSITORY, 'dist', `${id}.wasm`))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-policy-'))
  await writeFile(
    join(folder, 'spin.toml'),
    `spin_manifest_version = 2
[application]
name = "policy"
[variables]
policy = { default = "" }
api_keys = { default = "" }
[[trigger.http]]
route = "/..."
component = "mcp-gateway"
[component.mcp-gateway]
source = ${wasm('mcp-gateway')}
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]
[component.mcp-gateway.variables]
tool_components = "echo"
policy = "{{ policy }}"
api_keys = "{{ api_keys }}"
[[trigger.http]]
route = { private = true }
component = "echo"
[component.echo]
source = ${wasm('echo')}
`,
  )
  const rules = [
    { name: 'the robot', effect: 'allow', principals: ['key:ci'], tools: ['echo'] },
    { name: 'typo', effect: 'allow', tools: ['ecko'] },
  ]
  await writeFile(join(folder, 'policy.json'), JSON.stringify({ rules }))
  await writeFile(join(folder, 'wrong.json'), '{"rules":[{"effect":"alow"}]}')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(...args: string[]) {
  const command = ftl(args, { cwd: folder })
  return { code: await command.exited, output: command.output() }
}

it('ftl policy check finds a name of nothing, and says which one may be meant', async () => {
  const { code, output } = await run('policy', 'check', 'policy.json')
  expect(output).toContain('policy.json: rules[1].tools[0]: "ecko" is not a tool')
  expect(output).toContain('did you mean "echo"?')
  expect(output).toContain('policy.json is valid: 2 rules, 1 finding')
  expect(code).toBe(1)
})

it('ftl policy check names the field of an invalid policy', async () => {
  const { code, output } = await run('policy', 'check', 'wrong.json')
  expect(output).toContain('wrong.json: rules[0].effect must be one of allow, deny, ask')
  expect(code).toBe(2)
})

it('ftl policy explain answers by its exit status, with the policy that ftl up would get', async () => {
  const variable = ['--variable', 'policy=@policy.json']
  const yes = await run('policy', 'explain', '--as', 'key:ci', ...variable, 'call', 'echo')
  expect(yes).toMatchObject({
    code: 0,
    output: 'May key:ci call echo? Yes: rule 1 ("the robot") allows it.\n',
  })
  const json = ['--format', 'json']
  const no = await run('policy', 'explain', '--as', 'ada', ...variable, ...json, 'call', 'echo')
  expect(no.code).toBe(1)
  expect(JSON.parse(no.output)).toMatchObject({ effect: 'deny', rule: null, component: 'echo' })
  // A mistake must not look like a decision.
  const none = await run('policy', 'explain', '--as', 'ada', ...variable, 'call', 'ecko')
  expect(none).toMatchObject({
    code: 2,
    output: 'ftl: there is no tool "ecko"; did you mean "echo"?\n',
  })
})

it('ftl up says that an authenticated gateway without a policy permits nothing', async () => {
  const args = ['up', '--listen', '127.0.0.1:0', '--state-dir', '']
  const key = `[{"sha256":"${'0'.repeat(64)}","principal":"ci"}]`
  const command = ftl([...args, '--variable', `api_keys=${key}`], { cwd: folder })
  await command.printed('no policy: mcp-gateway authenticates its callers, and permits nothing')
  await command.printed('policy=signed-in')
  command.signal('SIGTERM')
  await command.exited
})
