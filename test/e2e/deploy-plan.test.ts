// `ftl deploy plan`: what keeps an application from a platform, and that it fits once the plan is followed.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { parseRuntimeConfig } from '../../host/src/runtime-config/runtime-config.ts'
import { type HostileApplication, writeApplication } from '../hostile/support/application.ts'
import { SPINKUBE } from '../many/spinkube.ts'
import { ftl, REPOSITORY } from '../support/command.ts'

const MIB = 1024 ** 2

interface Plan {
  bytes: number
  problems: number
  findings: { level: string; about: string; message: string; remedy?: string }[]
  components: { id: string; hosts: string[]; calls: string[]; stores: string[] }[]
  variables: string[]
  steps: string[]
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-plan-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function plan(from: string, ...args: string[]): Promise<Plan & { code: number | null }> {
  const command = ftl(['deploy', 'plan', ...args, '--from', from, '--json'], { cwd: folder })
  const code = await command.exited
  return { ...(JSON.parse(command.output()) as Plan), code }
}

const problemsOf = ({ findings }: Plan) => findings.filter(({ level }) => level === 'problem')

describe('the application of this repository', () => {
  it('fits Akamai Functions once the variables that the plan names are set', async () => {
    const before = await plan(REPOSITORY, 'akamai')
    expect(before.code).toBe(1)
    const remedies = problemsOf(before).map(({ remedy = '' }) => remedy)
    const flags = remedies.flatMap((remedy) => /--variable \w+=[^\s,]+/.exec(remedy)?.[0] ?? [])
    expect(flags).toHaveLength(remedies.length)
    for (const flag of flags) expect(before.steps.at(-1)).toContain(flag)
    const values = flags.map((flag) => flag.replace('…', 'tools.example').split(' ')).flat()
    const after = await plan(REPOSITORY, 'akamai', ...values)
    expect(problemsOf(after)).toEqual([])
    expect(after.code).toBe(0)
    expect(after.bytes).toBeLessThan(50 * MIB)
  })

  it('shows what each component may reach, with the values of variables', async () => {
    const { components } = await plan(
      REPOSITORY,
      'spin',
      '--variable',
      'comfyui_url=http://gpu.example:8188',
    )
    const of = (id: string) => components.find((component) => component.id === id)
    expect(of('comfyui')?.hosts).toContain('http://gpu.example:8188')
    expect(of('mcp-gateway')?.calls).toEqual(['*'])
    expect(of('echo')).toMatchObject({ hosts: [], calls: [], stores: [] })
  })

  it('gets the files for SpinKube, which the operator accepts, and keeps those that are there', async () => {
    const deploy = await mkdtemp(join(folder, 'kube-'))
    await plan(REPOSITORY, 'spinkube', '--write', deploy)
    const objects = async (name: string) =>
      parseAllDocuments(await readFile(join(deploy, name), 'utf8')).map(
        (each) => each.toJS() as Record<string, unknown>,
      )
    const [app] = await objects('spinapp.yaml')
    const { spec, metadata } = SPINKUBE.SpinApp.parse(app)
    const secrets = (await objects('secrets.example.yaml')) as {
      metadata: { name: string }
      stringData: Record<string, string>
    }[]
    const byName = new Map(secrets.map((secret) => [secret.metadata.name, secret.stringData]))
    for (const variable of spec.variables) {
      if (!('valueFrom' in variable)) continue
      const { name, key } = variable.valueFrom.secretKeyRef
      expect(byName.get(name)).toHaveProperty(key)
    }
    const secret = spec.variables.map(({ name }) => name)
    expect(secret).toEqual(
      expect.arrayContaining(['api_keys', 'request_state_key', 'comfyui_url', 'allowed_hosts']),
    )
    const runtime = byName.get(spec.runtimeConfig.loadFromSecret)?.['runtime-config.toml'] ?? ''
    expect(parseRuntimeConfig(runtime, '/runtime.toml').stores).toHaveProperty('default')
    expect(metadata.name).toBe('ftl-mcp-gateway')

    const again = ftl(['deploy', 'plan', 'spinkube', '--from', REPOSITORY, '--write', deploy])
    expect(await again.exited).toBe(1)
    expect(again.output()).toMatch(/spinapp\.yaml and .*secrets\.example\.yaml exist: remove them/)
  })

  it('gets a configuration of the bridge that names what the bridge has', async () => {
    const deploy = await mkdtemp(join(folder, 'bridge-'))
    const { code, findings } = await plan(REPOSITORY, 'cloudflare-bridge', '--write', deploy)
    // No component is deployed there, so none has to fit.
    expect(findings.map(({ about }) => about)).toEqual(['variable bridge_url'])
    expect(code).toBe(0)
    const read = async (path: string) =>
      parseToml(await readFile(path, 'utf8')) as unknown as Wrangler
    const written = await read(join(deploy, 'wrangler.toml'))
    const ours = await read(join(REPOSITORY, 'bridge/wrangler.toml'))
    expect(Object.keys(ours.vars)).toEqual(expect.arrayContaining(Object.keys(written.vars)))
    expect(written.durable_objects).toEqual(ours.durable_objects)
    expect(written.migrations).toEqual(ours.migrations)
    expect(existsSync(join(REPOSITORY, written.main))).toBe(true)
  })
})

interface Wrangler {
  main: string
  vars: Record<string, string>
  durable_objects: unknown
  migrations: unknown
}

describe('an application that does not fit', () => {
  let application: HostileApplication | undefined
  afterEach(() => application?.remove())

  it('is told which tools to put together, or that this is not enough', async () => {
    const large = { wasm: new Uint8Array(30 * MIB) }
    application = await writeApplication({
      ...{ one: large, two: { wasm: new Uint8Array(20 * MIB) } },
      three: { wasm: new Uint8Array(MIB) },
    })
    const [size, ...others] = problemsOf(await plan(application.folder, 'akamai'))
    expect(others).toEqual([])
    expect(size?.message).toBe('51.0 MiB in all, and Akamai Functions accepts 50.0 MiB')
    expect(size?.remedy).toMatch(/tools of three, two into one component.*about 1\.9 MiB less$/)
    await application.remove()
    application = await writeApplication({ one: large, two: large, three: large })
    const [enough] = problemsOf(await plan(application.folder, 'akamai'))
    expect(enough?.remedy).toMatch(/not enough: leave components out/)
  })

  it('is told about stores, hosts and files that are missing', async () => {
    application = await writeApplication({
      open: { wasm: new Uint8Array(8), allowedHosts: ['https://*'], stores: ['sessions'] },
    })
    await rm(join(application.folder, 'dist', 'open.wasm'))
    const { findings } = await plan(application.folder, 'akamai')
    const about = findings.filter((finding) => finding.about === 'component open')
    expect(about.map(({ level, message }) => [level, message])).toEqual([
      ['problem', 'is not built'],
      ['problem', 'opens the stores "sessions", and Akamai Functions has only default'],
      ['warning', 'may reach every host (https://*)'],
    ])
  })

  it('names the variables that must have a value there', async () => {
    application = await writeApplication(
      { one: { wasm: new Uint8Array(8), variables: { token: '{{ token }}' } } },
      '[variables]\ntoken = { required = true, secret = true }\n',
    )
    const { variables, steps } = await plan(application.folder, 'akamai')
    expect(variables).toEqual(['token'])
    expect(steps.at(-1)).toBe('spin aka deploy --variable token=…')
  })
})

it('reads .env for what is started with it, and not for other platforms', async () => {
  const application = await writeApplication(
    { one: { wasm: new Uint8Array(8), variables: { token: '{{ token }}', api: '{{ api }}' } } },
    '[variables]\ntoken = { required = true, secret = true }\napi = { default = "http://127.0.0.1:1" }\n',
  )
  try {
    const values = 'SPIN_VARIABLE_TOKEN=sunshine\nSPIN_VARIABLE_API=https://api.example\n'
    await writeFile(join(application.folder, '.env'), values)
    const container = await plan(application.folder, 'container')
    expect(container.variables).toEqual([])
    expect(JSON.stringify(container)).not.toContain('sunshine')
    expect((await plan(application.folder, 'akamai')).variables).toEqual(['token', 'api'])
    await rm(join(application.folder, '.env'))
    expect((await plan(application.folder, 'container')).variables).toEqual(['token', 'api'])
  } finally {
    await application.remove()
  }
})

it('warns of hosts that are this machine, where others reach the application', async () => {
  const hosts = ['http://127.0.0.1:4010', 'http://localhost:*', 'https://api.example', '{{ api }}']
  const application = await writeApplication(
    { one: { wasm: new Uint8Array(8), allowedHosts: hosts } },
    '[variables]\napi = { default = "http://127.0.0.1:1" }\n',
  )
  try {
    const container = await plan(application.folder, 'container')
    // The variable is reported by itself.
    expect(container.findings.filter(({ message }) => message.includes('this machine'))).toEqual([
      expect.objectContaining({
        about: 'component one',
        message:
          'names this machine (http://127.0.0.1:4010, http://localhost:*), which the platform does not reach',
      }),
      expect.objectContaining({ about: 'variable api' }),
    ])
    expect(container.findings.some(({ level }) => level === 'problem')).toBe(false)
    expect(JSON.stringify(await plan(application.folder, 'spin'))).not.toContain('this machine')
  } finally {
    await application.remove()
  }
})

it('refuses a platform that it does not know, and names those it knows', async () => {
  const command = ftl(['deploy', 'plan', 'heroku'])
  expect(await command.exited).toBe(1)
  expect(command.output()).toMatch(/spin, spinkube, akamai, cloudflare-bridge/)
})
