// A package that ftl add fetches, and the registry that sends it, want more than the person agrees to.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  type AddOptions,
  commitCandidate,
  fetchCandidate,
} from '../../cli/src/registry/candidate.ts'
import { OCI_ANNOTATION } from '../../cli/src/registry/component-package.ts'
import { WASM_LAYER } from '../../cli/src/registry/fetch-oci.ts'
import { SIGNATURE_TYPE } from '../../cli/src/registry/oci-attached.ts'
import { signPackage } from '../../cli/src/registry/publisher-signature.ts'
import { type NpmServer, startNpm } from '../registry/npm-server.ts'
import { type OciServer, startOci } from '../registry/oci-server.ts'
import { described, packed, publisher, signer } from '../registry/package.ts'
import { atTerminal, hasTerminal } from '../support/at-terminal.ts'
import { ftl } from '../support/command.ts'
import { type HostileApplication, writeApplication } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver, publisher as component } from './support/publisher.ts'

const SECRETS = `[variables]
llm_api_key = { default = "sk-of-the-owner", secret = true }
request_state_key = { default = "sealing-key-of-the-owner", secret = true }
a_b_c = { default = "of another component" }
`

let npm: NpmServer
let oci: OciServer
let application: HostileApplication
let wasm: Uint8Array

beforeAll(async () => {
  npm = await startNpm()
  oci = await startOci()
  wasm = await component({
    tools: [{ name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } }],
    content: [],
  })
})
afterAll(() => Promise.all([npm?.close(), oci?.close()]))

beforeEach(async () => {
  const chat = { llm_api_key: '{{ llm_api_key }}' }
  const hosts = ['http://billing.spin.internal']
  application = await writeApplication(
    {
      'mcp-gateway': await gatewayOver(['none'], { request_state_key: '{{ request_state_key }}' }),
      assistant: { wasm, variables: chat, allowedHosts: hosts },
    },
    SECRETS,
  )
  await writeFile(join(application.folder, '.npmrc'), `registry=${npm.url}\n`)
})
afterEach(() => application.remove())

const OPTIONS: AddOptions = {
  keys: [signer],
  requireSignature: true,
  file: { hosts: [], stores: [], variables: [] },
}

const read = (name: string) => readFile(join(application.folder, name), 'utf8')

const add = async (wanted: string, options: Partial<AddOptions> = {}) =>
  commitCandidate(
    application.folder,
    await fetchCandidate(wanted, application.folder, { ...OPTIONS, ...options }),
  )

/** What stopped it; `spin.toml` is as before. */
async function stopped(run: () => Promise<unknown>): Promise<string> {
  const before = await read('spin.toml')
  const reason = await run().then(
    () => 'nothing',
    (error: Error) => error.message,
  )
  expect(await read('spin.toml'), `it was added, stopped by: ${reason}`).toBe(before)
  expect(reason).not.toBe('nothing')
  return reason
}

const signed = { signWith: publisher.privateKey }

function onNpm(
  name: string,
  version = '1.0.0',
  reach: Record<string, string[]> = {},
  bytes = wasm,
) {
  npm.put(name, version, packed(bytes, { name, version, reach }, signed))
}

attack('a package called llm asks for api_key, which is the key of the model', async () => {
  onNpm('llm', '1.0.0', { variables: ['api_key'] })
  const reason = await stopped(() => add('npm:llm'))
  expect(reason).toContain('llm_api_key, a secret, which assistant uses today')
  return 'the variable and its user are named; --share llm_api_key'
})

attack('a package called request-state asks for key, which seals requests', async () => {
  onNpm('request-state', '1.0.0', { variables: ['key'] })
  const reason = await stopped(() => add('npm:request-state'))
  expect(reason).toContain('request_state_key, a secret, which mcp-gateway uses today')
  return 'the variable and its user are named'
})

attack('ftl add --yes hands out a secret that exists', async () => {
  onNpm('llm', '1.0.0', { variables: ['api_key'] })
  const run = async () => {
    const command = ftl(['add', 'npm:llm', '--yes', '--no-test'], { cwd: application.folder })
    if ((await command.exited) !== 0) throw new Error(command.output())
  }
  const reason = await stopped(run)
  expect(reason).toContain('--share llm_api_key')
  expect(reason).not.toContain('sk-of-the-owner')
  return 'refused; exit code 1'
})

attack('a hyphen and an underscore make the variable of another component', async () => {
  onNpm('a-b', '1.0.0', { variables: ['c'] })
  const reason = await stopped(() => add('npm:a-b'))
  expect(reason).toContain('a_b_c, which spin.toml has already')
  return 'the variable is named'
})

attack(
  'a package gets the value that .env still has for a component that was removed',
  async () => {
    await writeFile(join(application.folder, '.env'), 'SPIN_VARIABLE_OLD_TOKEN=left-behind\n')
    onNpm('old', '1.0.0', { variables: ['token'] })
    const reason = await stopped(() => add('npm:old'))
    expect(reason).toContain('has a value in .env already')
    expect(reason).not.toContain('left-behind')
    return 'the variable and .env are named'
  },
)

attack('an update asks for a variable that others use', async () => {
  onNpm('llm')
  await add('npm:llm')
  onNpm('llm', '1.1.0', { variables: ['api_key'] })
  const reason = await stopped(() => add('npm:llm'))
  expect(reason).toContain('which assistant uses today')
  return 'the variable and its user are named'
})

attack('a variable appears between the question and the answer', async () => {
  onNpm('late', '1.0.0', { variables: ['key'] })
  const candidate = await fetchCandidate('npm:late', application.folder, OPTIONS)
  const text = (await read('spin.toml')).replace(
    '[variables]',
    '[variables]\nlate_key = { default = "x" }',
  )
  await writeFile(application.manifest, text)
  await stopped(() => commitCandidate(application.folder, candidate))
  return 'asked for again while it is written'
})

attack('a package is called as a component with a role: code, chat, web, remote …', async () => {
  const roles = [
    'code',
    'chat',
    'web',
    'remote',
    'workflows',
    'comfyui',
    'generate-image',
    'get-job',
  ]
  for (const name of roles) {
    onNpm(name)
    expect(await stopped(() => add(`npm:${name}`)), name).toContain('--name')
  }
  onNpm('@acme/code')
  expect(await stopped(() => add('npm:@acme/code'))).toContain('run_code')
  return 'refused'
})

attack('a package wants the variable that makes a component the gateway', async () => {
  onNpm('second', '1.0.0', { variables: ['tool_components'] })
  expect(await stopped(() => add('npm:second'))).toContain('makes a component the gateway')
  return 'refused'
})

attack('a package takes a name that another component calls', async () => {
  onNpm('billing')
  const run = async () => {
    const command = ftl(['add', 'npm:billing', '--yes', '--no-test'], { cwd: application.folder })
    if ((await command.exited) !== 0) throw new Error(command.output())
  }
  expect(await stopped(run)).toContain('will be called by assistant')
  return 'refused without --name billing'
})

attack('a registry answers a request for 2.x with the signed package 1.0.0', async () => {
  npm.put('@acme/echo', '2.0.0', packed(wasm, { name: '@acme/echo' }, signed))
  const reason = await stopped(() => add('npm:@acme/echo@^2.0.0'))
  expect(reason).toContain('@acme/echo@1.0.0, and the version 2.0.0 was asked for')
  return 'name and version in the package are compared'
})

attack('a registry answers a request for @other/thing with a signed @acme/echo', async () => {
  npm.put('@other/thing', '1.0.0', packed(wasm, { name: '@acme/echo' }, signed))
  const reason = await stopped(() => add('npm:@other/thing'))
  expect(reason).toContain('the package @other/thing was asked for')
  return 'name and version in the package are compared'
})

/** An artifact under a tag, signed by the publisher. */
function inOci(repository: string, tag: string, name: string, version: string): string {
  const about = described(wasm, { name, version })
  const annotations = { [OCI_ANNOTATION]: JSON.stringify(about) }
  const digest = oci.put(tag, [{ mediaType: WASM_LAYER, bytes: wasm }], { annotations })
  const bytes = Buffer.from(JSON.stringify(signPackage(about, publisher.privateKey)))
  oci.put(`sig-${tag}`, [{ mediaType: SIGNATURE_TYPE, bytes }], {
    subject: { digest },
    artifactType: SIGNATURE_TYPE,
  })
  return `oci://${oci.host}/${repository}:${tag}`
}

attack('an OCI registry answers a tag with an older signed artifact', async () => {
  for (const tag of ['2.0.0', 'v2.0.0', '2.0', '2', '2.0.0-rc.1']) {
    const wanted = inOci('acme/echo', tag, '@acme/echo', '1.0.0')
    expect(await stopped(() => add(wanted)), tag).toContain(`the tag ${tag} was asked for`)
  }
  return 'the version in the package is compared with the tag'
})

attack('an OCI registry answers with a signed artifact of another name', async () => {
  const wanted = inOci('acme/echo', '1.0.0', '@acme/payments', '1.0.0')
  expect(await stopped(() => add(wanted))).toContain('acme/echo was asked for')
  const other = inOci('other/echo', '1.0.0', '@acme/echo', '1.0.0')
  expect(await stopped(() => add(other))).toContain('other/echo was asked for')
  return 'the name in the package is compared with the path'
})

attack('a registry hides the new version, so that an update goes back', async () => {
  onNpm('echo-tool', '1.9.0')
  onNpm('echo-tool', '1.10.0')
  await add('npm:echo-tool')
  onNpm('echo-tool', '1.9.0')
  const integrity = await integrityOf('echo-tool', '1.9.0')
  npm.answer('/echo-tool', (_, response) => {
    const tarball = `${npm.url}/echo-tool/-/1.9.0.tgz`
    const versions = { '1.9.0': { dist: { integrity, tarball } } }
    response.end(JSON.stringify({ 'dist-tags': { latest: '1.9.0' }, versions }))
  })
  const reason = await stopped(() => add('npm:echo-tool'))
  expect(reason).toContain('goes back from version 1.10.0 to 1.9.0')
  await add('npm:echo-tool', { allowOlder: true })
  return 'the version of ftl.lock is compared; --allow-older'
})

async function integrityOf(name: string, version: string): Promise<string> {
  const { createHash } = await import('node:crypto')
  const bytes = await (await fetch(`${npm.url}/${name}/-/${version}.tgz`)).arrayBuffer()
  return `sha512-${createHash('sha512').update(Buffer.from(bytes)).digest('base64')}`
}

attack('a tag moves to an older artifact, and the update takes it', async () => {
  const wanted = inOci('acme/mover', 'latest', '@acme/mover', '3.0.0')
  await add(wanted)
  inOci('acme/mover', 'latest', '@acme/mover', '2.0.0-beta.1')
  expect(await stopped(() => add(wanted))).toContain('goes back from version 3.0.0 to 2.0.0-beta.1')
  return 'the version of ftl.lock is compared'
})

attack('the same version has another file later', async () => {
  onNpm('same')
  await add('npm:same')
  const other = await component({ tools: [], content: [] })
  onNpm('same', '1.0.0', {}, other)
  expect(await stopped(() => add('npm:same'))).toContain('another file that has the same version')
  return 'the digest of ftl.lock is compared'
})

attack('a package of another source takes the place and the values of an added one', async () => {
  onNpm('weather', '1.0.0', { variables: ['token'] })
  await add('npm:weather')
  onNpm('@evil/weather', '2.0.0', { variables: ['token'] })
  expect(await stopped(() => add('npm:@evil/weather'))).toContain('was added from npm:weather')
  return 'the source of ftl.lock is compared'
})

it.skipIf(!hasTerminal)('the question says what each right lets the component do', async () => {
  const reach = {
    hosts: ['https://api.example.com', 'https://*', 'http://mcp-gateway.spin.internal'],
    components: ['*'],
    stores: ['default'],
    variables: ['api_key', 'units'],
  }
  onNpm('llm', '1.0.0', reach)
  const options = { cwd: application.folder }
  const args = ['add', 'npm:llm@1.0.0', '--no-test']
  const { screen: asked } = await atTerminal(args, [[/\[y\/N\] $/, 'n\r']], options)
  for (const line of [
    'it may send requests to https://api.example.com',
    'it may send requests to every server of the internet',
    'it may call the gateway mcp-gateway, and through it every tool',
    'it may call every other component of the application: mcp-gateway, assistant',
    'it may keep data in the store default',
    'it will receive the value of llm_api_key, a secret, which assistant uses today',
    'it will receive the value that you give to its variable llm_units',
    'Add it with these rights?',
  ])
    expect(asked).toContain(line)
  expect(await read('spin.toml')).not.toContain('component.llm')
  await atTerminal(args, [[/\[y\/N\] $/, 'y\r']], options)
  expect(await read('spin.toml')).toContain('api_key = "{{ llm_api_key }}"')
})
