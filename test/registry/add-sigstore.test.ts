// ftl add takes a package that the expected identity has signed with Sigstore, and no other.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AddOptions,
  commitCandidate,
  fetchCandidate,
} from '../../cli/src/registry/candidate.ts'
import { OCI_ANNOTATION } from '../../cli/src/registry/component-package.ts'
import { WASM_LAYER } from '../../cli/src/registry/fetch-oci.ts'
import { type HostileApplication, writeApplication } from '../hostile/support/application.ts'
import { gatewayOver, publisher as component } from '../hostile/support/publisher.ts'
import { type NpmServer, startNpm } from './npm-server.ts'
import { type OciServer, startOci } from './oci-server.ts'
import { described, packed } from './package.ts'
import {
  ISSUER,
  REPOSITORY,
  type SignOptions,
  type SigstoreInstance,
  startSigstore,
  WORKFLOW,
} from './sigstore-instance.ts'

const BUNDLE = 'application/vnd.dev.sigstore.bundle.v0.3+json'
const acme = { issuer: ISSUER, repository: REPOSITORY }

let npm: NpmServer
let oci: OciServer
let sigstore: SigstoreInstance
let application: HostileApplication
let weather: Uint8Array
let root: string

beforeAll(async () => {
  npm = await startNpm()
  sigstore = await startSigstore()
  weather = await component({
    tools: [{ name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } }],
    content: [],
  })
})
afterAll(() => npm?.close())

beforeEach(async () => {
  oci = await startOci()
  application = await writeApplication({ gateway: await gatewayOver(['none']) })
  await writeFile(join(application.folder, '.npmrc'), `registry=${npm.url}\n`)
  root = join(application.folder, 'root.json')
  await writeFile(root, JSON.stringify(sigstore.trustedRoot))
})
afterEach(async () => {
  await oci.close()
  await application.remove()
})

const candidate = (wanted: string, options: Partial<AddOptions> = {}) =>
  fetchCandidate(wanted, application.folder, {
    ...{ keys: [], requireSignature: false, trustedRoot: root, identities: [acme] },
    file: { hosts: [], stores: [], variables: [] },
    ...options,
  })

/** A version on npm, with attestations about it. */
async function onNpm(version: string, change: Partial<SignOptions> = {}, count = 1): Promise<void> {
  const tarball = packed(weather, { version })
  npm.put('weather', version, tarball, { attestations: { url: 'unused' } })
  const sha512 = createHash('sha512').update(tarball).digest('hex')
  const subject = { name: `pkg:npm/weather@${version}`, digest: { sha512 } }
  const bundle = await sigstore.attest({ subject, ...change })
  const attestations = Array.from({ length: count }, () => ({ predicateType: 'any', bundle }))
  npm.answer(`/-/npm/v1/attestations/weather@${version}`, (_, response) =>
    response.end(JSON.stringify({ attestations })),
  )
}

/** An artifact, with a bundle that refers to it. */
async function inOci(tag: string, change: Partial<SignOptions> = {}): Promise<void> {
  const annotations = { [OCI_ANNOTATION]: JSON.stringify(described(weather, { version: tag })) }
  const layer = { mediaType: WASM_LAYER, bytes: weather }
  const digest = oci.put(tag, [layer], { annotations })
  const predicateType = 'https://sigstore.dev/cosign/sign/v1'
  const subject = { digest: { sha256: digest.slice('sha256:'.length) } }
  const bundle = await sigstore.attest({ subject, predicateType, ...change })
  const bytes = Buffer.from(JSON.stringify(bundle))
  oci.put(`bundle-${tag}`, [{ mediaType: BUNDLE, bytes }], {
    subject: { digest },
    artifactType: BUNDLE,
  })
}

describe.each([
  ['npm', onNpm, (version: string) => `npm:weather@${version}`],
  ['OCI', inOci, (version: string) => `oci://${oci.host}/acme/weather:${version}`],
] as const)('a package of %s', (_, put, name) => {
  it('that the expected repository has signed is taken, and its signer is in the lock', async () => {
    await put('1.0.0')
    const found = await candidate(name('1.0.0'), { requireSignature: true })
    expect(found.checks).toContainEqual(expect.stringContaining(`by ${REPOSITORY}`))
    await commitCandidate(application.folder, found)
    const lock = await readFile(join(application.folder, 'ftl.lock'), 'utf8')
    expect(JSON.parse(lock)).toMatchObject({
      added: { weather: { identity: `${REPOSITORY} (by ${ISSUER})` } },
    })
  })

  it.each([
    ['repository', { repository: `${REPOSITORY}-fork` }],
    ['issuer', { issuer: 'https://token.evil.example' }],
  ])('that another %s has signed is refused', async (_what, change) => {
    await put('2.0.0', change)
    await expect(candidate(name('2.0.0'))).rejects.toThrow('which you did not name')
  })

  it.each([
    ['a prefix', WORKFLOW.slice(0, -1)],
    ['a pattern', '.*'],
    ['a longer text', `${WORKFLOW}0`],
  ])('whose subject is expected by %s of it is refused', async (_what, subject) => {
    await put('2.0.1')
    const identities = [{ issuer: ISSUER, subject }]
    await expect(candidate(name('2.0.1'), { identities })).rejects.toThrow('you did not name')
  })

  it('with a bundle about another artifact is refused, where nothing is required, too', async () => {
    const digest = { sha256: 'ab'.repeat(32), sha512: 'ab'.repeat(64) }
    await put('3.0.0', { subject: { name: 'pkg:npm/weather@3.0.0', digest } })
    await expect(candidate(name('3.0.0'), { identities: [] })).rejects.toThrow('another artifact')
  })

  it('with a statement that is not about publishing is not signed', async () => {
    await put('4.0.0', { predicateType: 'https://scanner.example/report/v1' })
    await expect(candidate(name('4.0.0'))).rejects.toThrow('not signed')
  })

  it('is shown as not verified without a trusted root', async () => {
    await put('5.0.0', { repository: 'https://git.example/other' })
    const options = { identities: [], trustedRoot: undefined }
    const { checks, added } = await candidate(name('5.0.0'), options)
    expect(checks).toContainEqual(expect.stringContaining('not verified'))
    expect(added.identity).toBeUndefined()
  })
})

describe('a package', () => {
  it('without a bundle is refused where an identity is expected', async () => {
    npm.put('weather', '6.0.0', packed(weather, { version: '6.0.0' }))
    await expect(candidate('npm:weather@6.0.0')).rejects.toThrow('only packages that are signed')
  })

  it('of npm with the name of another package in its statement is refused', async () => {
    const tarball = packed(weather, { version: '6.1.0' })
    const sha512 = createHash('sha512').update(tarball).digest('hex')
    await onNpm('6.1.0', { subject: { name: 'pkg:npm/other@6.1.0', digest: { sha512 } } })
    await expect(candidate('npm:weather@6.1.0')).rejects.toThrow('another artifact')
  })

  it('that was signed with Sigstore is not updated to one that is not, or by another', async () => {
    await onNpm('7.0.0')
    await commitCandidate(application.folder, await candidate('npm:weather@7.0.0'))
    npm.put('weather', '7.1.0', packed(weather, { version: '7.1.0' }))
    const open = { identities: [] }
    await expect(candidate('npm:weather@7.1.0', open)).rejects.toThrow('not signed by Sigstore')
    await onNpm('7.2.0', { repository: 'https://git.example/other' })
    await expect(candidate('npm:weather@7.2.0', open)).rejects.toThrow('and the new version is')
    await onNpm('7.3.0')
    const blind = { identities: [], trustedRoot: undefined }
    await expect(candidate('npm:weather@7.3.0', blind)).rejects.toThrow('--trusted-root')
    await onNpm('7.4.0', { workflow: WORKFLOW.replace('v1.0.0', 'v2.0.0') })
    expect((await candidate('npm:weather@7.4.0', open)).added.version).toBe('7.4.0')
  })

  it('with more bundles than are read is refused', async () => {
    await onNpm('8.0.0', {}, 17)
    await expect(candidate('npm:weather@8.0.0')).rejects.toThrow('more than 16 attestations')
  })
})

describe('the policy of a project', () => {
  const withTable = async (rows: string) => {
    const text = await readFile(application.manifest, 'utf8')
    await writeFile(application.manifest, `${text}\n[application.tool.ftl]\n${rows}\n`)
    return candidate('npm:weather@9.0.0', { identities: [], trustedRoot: undefined })
  }

  it('is read from the manifest, with the root beside it', async () => {
    await onNpm('9.0.0', { repository: 'https://git.example/other' })
    const rows = `trusted_root = "root.json"\nidentities = [{ issuer = "${ISSUER}", repository = "${REPOSITORY}" }]`
    await expect(withTable(rows)).rejects.toThrow('which you did not name')
  })

  it.each([
    [`identities = [{ issuer = "${ISSUER}", repository = "${REPOSITORY}" }]`, '--trusted-root'],
    [`identities = [{ issuer = "${ISSUER}" }]`, 'an issuer alone'],
    ['identities = [{ issuer = "token.example", subject = "ada" }]', 'https address'],
    ['identities = [{ issuer = "https://a.example", repo = "x" }]', '"repo"'],
    ['identities = ["ada"]', 'must be a table'],
    ['identities = "ada"', 'must be a list of tables'],
    ['trusted_root = 1', 'must be the path of a file'],
    ['trusted_root = "none.json"', 'there is no trusted root'],
  ])('that cannot be is refused: %s', async (rows, reason) => {
    await onNpm('9.0.0')
    await expect(withTable(rows)).rejects.toThrow(reason)
  })
})
