// ftl publish makes packages that npm publishes and ftl add reads: from one application into another.
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseManifest } from 'ftl-host'
import { newKeyPair } from '../../cli/src/registry/publisher-signature.ts'
import { type HostileApplication, writeApplication } from '../hostile/support/application.ts'
import { gatewayOver, publisher as component } from '../hostile/support/publisher.ts'
import { ftl } from '../support/command.ts'
import { type NpmServer, startNpm } from './npm-server.ts'
import { type OciServer, startOci } from './oci-server.ts'
import { checkServerJson } from './server-json-rules.ts'

const PASSWORD = 'zq8-registry-password-zq8'
const LOGIN = Buffer.from(`ftl:${PASSWORD}`).toString('base64')
const TABLE = `
[component.weather.tool.ftl-publish]
name = "@acme/weather"
version = "1.2.0"
description = "Weather for tests"
license = "Apache-2.0"
repository = "https://git.example/acme/weather"
mcp_name = "io.example.acme/weather"
`

/** Each starts several programs. */
const SLOW = 120_000

let npm: NpmServer
let oci: OciServer
let author: HostileApplication
let user: HostileApplication
let docker: string
let weather: Uint8Array

beforeAll(async () => {
  npm = await startNpm()
  weather = await component({
    tools: [{ name: 'forecast', description: 'Tells.', inputSchema: { type: 'object' } }],
    content: [{ type: 'text', text: 'it ran' }],
  })
})
afterAll(() => npm?.close())

beforeEach(async () => {
  oci = await startOci(LOGIN)
  docker = await mkdtemp(join(tmpdir(), 'ftl-docker-'))
  const auths = { [oci.host]: { auth: LOGIN } }
  await writeFile(join(docker, 'config.json'), JSON.stringify({ auths }))
  author = await writeApplication({
    weather: {
      wasm: weather,
      allowedHosts: ['https://api.example.com'],
      stores: ['default'],
      variables: { api_key: '' },
    },
  })
  await writeFile(
    author.manifest,
    (await readFile(author.manifest, 'utf8')).replace('api_key = ""', 'api_key = "x"') + TABLE,
  )
  user = await writeApplication({ gateway: await gatewayOver(['none']) })
  await writeFile(join(user.folder, '.npmrc'), `registry=${npm.url}\n`)
})
afterEach(async () => {
  await Promise.all([oci.close(), author.remove(), user.remove()])
  await rm(docker, { recursive: true, force: true })
})

async function run(args: string[], folder: string, env: Record<string, string> = {}) {
  const command = ftl(args, { cwd: folder, env: { DOCKER_CONFIG: docker, ...env } })
  const code = await command.exited
  return { code, output: command.output() }
}
const publish = (args: string[], env: Record<string, string> = {}) =>
  run(['publish', 'weather', '--no-test', ...args], author.folder, env)

async function addedTo({ folder, manifest }: HostileApplication) {
  const text = await readFile(join(folder, 'spin.toml'), 'utf8')
  return parseManifest(text, manifest).components.get('weather')
}

const rights = {
  allowedOutboundHosts: ['https://api.example.com'],
  keyValueStores: ['default'],
  variables: { api_key: '{{ weather_api_key }}' },
}

describe('a package for npm', { timeout: SLOW }, () => {
  it('needs no other component of the application to be built', async () => {
    const other = `
[[trigger.http]]
route = "/other"
component = "other"
[component.other]
source = "dist/other.wasm"
`
    await writeFile(author.manifest, (await readFile(author.manifest, 'utf8')) + other)
    const { code, output } = await publish(['--npm', '--dry-run'])
    expect(output).not.toContain('does not exist')
    expect(code).toBe(0)
  })

  it('is published by npm and added to another application, with its rights and its signature', async () => {
    const key = newKeyPair()
    await writeFile(join(author.folder, 'key.pem'), key.privateKey)
    const made = await publish(['--npm', '--sign', 'key.pem'])
    expect(made.output).toContain('npm publish ./dist/publish/acme-weather-1.2.0.tgz')
    expect(made.code).toBe(0)
    await npmPublish('dist/publish/acme-weather-1.2.0.tgz', author.folder)

    const wanted = ['add', 'npm:@acme/weather', '--yes', '--no-test', '--require-signature']
    const added = await run([...wanted, '--key', `ed25519:${key.publicKey}`], user.folder)
    expect(added.output).toContain('signed by a key that you trust')
    expect(added.code).toBe(0)
    expect(await addedTo(user)).toMatchObject(rights)
    expect(await readFile(join(user.folder, 'added/weather.wasm'))).toEqual(Buffer.from(weather))
  })

  it('has a server.json that the MCP registry accepts', async () => {
    const url = 'https://tools.example/mcp'
    await publish(['--npm', '--oci', `${oci.host}/acme/weather`, '--url', url])
    const path = join(author.folder, 'dist/publish/server.json')
    const server: unknown = JSON.parse(await readFile(path, 'utf8'))
    expect(checkServerJson(server)).toEqual([])
    expect(server).toMatchObject({
      name: 'io.example.acme/weather',
      packages: [
        { registryType: 'npm', identifier: '@acme/weather', version: '1.2.0' },
        { registryType: 'oci', identifier: `${oci.host}/acme/weather:1.2.0` },
      ],
      remotes: [{ type: 'streamable-http', url }],
    })
  })
})

describe('an artifact for an OCI registry', { timeout: SLOW }, () => {
  it('is pushed with the login of Docker and added to another application', async () => {
    const key = newKeyPair()
    await writeFile(join(author.folder, 'key.pem'), key.privateKey)
    const reference = `${oci.host}/acme/weather`
    const made = await publish(['--oci', reference, '--sign', 'key.pem'])
    expect(made.output).toContain(`ftl add oci://${reference}:1.2.0`)
    expect(made.code).toBe(0)
    const wanted = ['add', `oci://${reference}:1.2.0`, '--yes', '--no-test']
    const added = await run([...wanted, '--key', `ed25519:${key.publicKey}`], user.folder)
    expect(added.output).toContain('signed by a key that you trust')
    expect(await addedTo(user)).toMatchObject(rights)
  })

  it('is pushed with FTL_REGISTRY_TOKEN, which is not printed and not used by ftl add', async () => {
    await writeFile(join(docker, 'config.json'), '{}')
    const reference = `${oci.host}/acme/weather:2`
    const refused = await publish(['--oci', reference])
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('FTL_REGISTRY_TOKEN')
    const made = await publish(['--oci', reference], { FTL_REGISTRY_TOKEN: PASSWORD })
    expect(made.code).toBe(0)
    expect(made.output).not.toContain(PASSWORD)
    oci.seen.length = 0
    const env = { FTL_REGISTRY_TOKEN: PASSWORD }
    expect((await run(['add', `oci://${reference}`, '--yes'], user.folder, env)).code).toBe(1)
    expect(oci.seen.map(({ authorization }) => authorization)).not.toContain(`Basic ${LOGIN}`)
  })
})

describe('a dry run', { timeout: SLOW }, () => {
  it('sends nothing, writes nothing, and names the digest that is then pushed', async () => {
    const reference = `${oci.host}/acme/weather:1`
    const dry = await publish(['--npm', '--oci', reference, '--dry-run'])
    expect(dry.code).toBe(0)
    expect(oci.seen).toEqual([])
    expect(await readdir(join(author.folder, 'dist'))).toEqual(['weather.wasm'])
    await publish(['--oci', reference])
    expect(dry.output).toContain(`manifest: ${oci.tags.get('1')}`)
  })
})

describe('what cannot be published', { timeout: SLOW }, () => {
  it.each([
    [['--npm', '--name', 'Acme/Weather'], '--name'],
    [['--npm', '--package-version', 'newest'], '--package-version'],
    [['--npm', '--mcp-name', 'weather'], '--mcp-name'],
    [['--npm', '--url', 'http://tools.example/mcp'], '--url must be an https address'],
    [['--npm', '--sign', 'none.pem'], 'there is no key none.pem'],
    [['--oci', 'not a reference'], 'oci://host/name:tag'],
    [['--oci', '127.0.0.1:1/Acme/weather'], 'must be in lower case'],
    [['--oci', `127.0.0.1:1/x@sha256:${'0'.repeat(64)}`], 'must have a tag'],
    [[], 'choose where to publish'],
  ])('%j is refused with what to do', async (args, reason) => {
    const { code, output } = await publish(args)
    expect(code).toBe(1)
    expect(output).toContain(reason)
    expect(output).not.toContain('    at ')
  })

  it('is a component with files, or with a host that a variable decides', async () => {
    const text = await readFile(author.manifest, 'utf8')
    await mkdir(join(author.folder, 'data'))
    await writeFile(
      author.manifest,
      text.replace(
        'key_value_stores',
        'files = [{ source = "data", destination = "/data" }]\nkey_value_stores',
      ),
    )
    expect((await publish(['--npm'])).output).toContain('has files (/data)')
    await writeFile(
      author.manifest,
      `[variables]\nwhere = { default = "https://a.example" }\n${text.replace('"https://api.example.com"', '"{{ where }}"')}`.replace(
        /^(\[variables\]\n.*\n)(spin_manifest_version = 2\n)/,
        '$2$1',
      ),
    )
    expect((await publish(['--npm'])).output).toContain('depends on a variable')
  })

  it('is a component that fails its test', async () => {
    const wasm = await component({ tools: [{ name: 'bad name', inputSchema: { type: 'string' } }] })
    await writeFile(join(author.folder, 'dist/weather.wasm'), wasm)
    const { code, output } = await run(['publish', 'weather', '--npm'], author.folder)
    expect(code).toBe(1)
    expect(output).toMatch(/fails its test|"tools"/)
    expect(await readdir(join(author.folder, 'dist'))).toEqual(['weather.wasm'])
  })
})

/** The real npm. */
async function npmPublish(file: string, cwd: string): Promise<void> {
  await writeFile(join(cwd, 'npmrc'), `//${new URL(npm.url).host}/:_authToken=any\n`)
  const env = {
    ...process.env,
    npm_config_registry: npm.url,
    npm_config_userconfig: join(cwd, 'npmrc'),
  }
  const child = spawn(
    'npm',
    ['publish', file, '--access', 'public', '--cache', join(cwd, '.npm')],
    {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let problems = ''
  child.stderr.on('data', (part: Buffer) => (problems += part.toString()))
  const code = await new Promise((done) => child.on('close', done))
  if (code !== 0) throw new Error(problems)
}
