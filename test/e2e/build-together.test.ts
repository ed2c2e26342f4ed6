// `ftl build --group`, --single and --target on the application of this repository, and what they refuse.
import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Host, startHost } from 'ftl-host'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommand } from '../../cli/src/commands/build.ts'
import { ask } from '../contract/mcp/client.ts'
import { ftl, REPOSITORY } from '../support/command.ts'
import { manifestWith, toolSection } from './tools-application.ts'

let folder = ''
beforeAll(async () => {
  // Below the repository, so that the packages of the sources are found.
  folder = await mkdtemp(join(REPOSITORY, '.ftl', 'together-'))
  for (const name of ['echo', 'calculator']) {
    await cp(join(REPOSITORY, 'components', name, 'src'), join(folder, name), { recursive: true })
  }
  await writeFile(join(folder, 'spin.toml'), MANIFEST)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const MANIFEST = manifestWith(
  'together',
  [
    toolSection('echo'),
    toolSection('calculator'),
    toolSection('greedy', 'allowed_outbound_hosts = ["https://x.example"]', 'echo/main.ts'),
    toolSection('code', '', join(REPOSITORY, 'components/code/src/main.ts')),
    toolSection(
      'open',
      'allowed_outbound_hosts = ["https://*:*", "http://10.0.0.0/8"]\nenvironment = { A = "1" }',
      'echo/main.ts',
    ),
  ].join(''),
)

async function build(...args: string[]): Promise<{ code: number | null; output: string }> {
  const command = ftl(['build', '--from', folder, ...args])
  return { code: await command.exited, output: command.output() }
}

describe('a group', () => {
  let host: Host
  beforeAll(async () => {
    const { code, output } = await build('--group', 'basics=echo,calculator')
    expect(code, output).toBe(0)
    expect(output).toContain('They share one sandbox')
    const manifest = join(folder, 'spin-grouped.toml')
    host = await startHost({ manifest, listen: '127.0.0.1:0', stateDir: '', env: {} })
  })
  afterAll(() => host?.close())

  it('has its tools under the names that they had', async () => {
    const { result } = await ask(host.url, 'tools/list')
    const names = (result['tools'] as { name: string }[]).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['echo', 'calculator']))
    const called = await ask(host.url, 'tools/call', {
      name: 'calculator',
      arguments: { expression: '6*7' },
    })
    expect(called.result['structuredContent']).toEqual({ result: 42 })
    const health = (await (await fetch(`${host.url}/health/components`)).json()) as {
      components: { component: string; status: string }[]
    }
    expect(health.components).toMatchObject([
      { component: 'echo', status: 'ok' },
      { component: 'calculator', status: 'ok' },
    ])
  })

  it('takes less than its members take by themselves', async () => {
    await build('echo', 'calculator')
    const sizeOf = async (id: string) => (await stat(join(folder, 'dist', `${id}.wasm`))).size
    const [group = 0, echo = 0, calculator = 0] = await Promise.all(
      ['basics', 'echo', 'calculator'].map(sizeOf),
    )
    expect(group).toBeLessThan(0.6 * (echo + calculator))
  })
})

describe('the build refuses', () => {
  it.each<[string[], string]>([
    [['--group', 'basics=echo,nothing'], 'there is no component "nothing"'],
    [['--group', 'basics=echo'], 'a group needs at least two components'],
    [['--group', 'basics=echo,echo'], 'echo is twice in a group'],
    [['--group', 'a=echo,calculator', '--group', 'b=echo,greedy'], 'echo is twice in a group'],
    [['--group', 'echo=echo,calculator'], 'spin.toml has a component of this name'],
    [['--group', 'Basics'], '--group must be NAME=COMPONENT,COMPONENT'],
    [['--group', 'basics=echo,mcp-gateway'], 'mcp-gateway is the gateway'],
    [['--group', 'basics=echo,greedy'], 'its components have different hosts'],
    [['--group', 'basics=echo,calculator', '--single'], '--group cannot be used with --single'],
    [['--group', 'basics=echo,calculator', '--target', 'node'], 'cannot be used with --target'],
    [['--allow-shared-rights'], '--allow-shared-rights needs --group'],
    [['--single', 'nothing'], 'spin.toml has no component "nothing"'],
    [['--target', 'node'], 'name the components to build, or add --single'],
    [['--target', 'node', 'mcp-gateway'], 'add --single to build it with its tools'],
    [['--target', 'node', 'open'], 'on Node this would allow this machine and its network'],
    [['--target', 'workers', 'open'], 'a Worker has no environment variables'],
    [['--target', 'workers', 'open'], 'has the network http://10.0.0.0/8'],
  ])('%j', async (args, message) => {
    // In this process, because each start of the command takes longer than all of these cases.
    await expect(
      buildCommand().parseAsync(['--from', folder, ...args], { from: 'user' }),
    ).rejects.toThrow(message)
  })

  it('with an error that has no stack', async () => {
    const { code, output } = await build('--group', 'basics=echo')
    expect(code).toBe(1)
    expect(output).toContain('a group needs at least two components')
    expect(output).not.toMatch(/\n\s+at /)
  })

  it('programs of models beside other tools', async () => {
    const { code, output } = await build('--single', 'echo', 'code')
    expect(code).toBe(1)
    expect(output).toContain('runs programs of models, which needs a component of its own')
  })

  it('a component that calls a member of a group from outside', async () => {
    const other = join(folder, 'calls.toml')
    const hosts = 'allowed_outbound_hosts = ["http://echo.spin.internal"]'
    await writeFile(other, MANIFEST + toolSection('caller', hosts, 'echo/main.ts'))
    const command = ftl(['build', '--from', other, '--group', 'basics=echo,calculator'])
    expect(await command.exited).toBe(1)
    expect(command.output()).toContain('caller calls echo')
  })
})
