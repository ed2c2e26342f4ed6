// An artifact that several keys have signed, and signatures that its registry has lost.
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  type AddOptions,
  commitCandidate,
  fetchCandidate,
} from '../../cli/src/registry/candidate.ts'
import { readAdded } from '../../cli/src/registry/added-lock.ts'
import { OCI_ANNOTATION } from '../../cli/src/registry/component-package.ts'
import { WASM_LAYER } from '../../cli/src/registry/fetch-oci.ts'
import { SIGNATURE_TYPE } from '../../cli/src/registry/oci-attached.ts'
import { newKeyPair, signPackage } from '../../cli/src/registry/publisher-signature.ts'
import {
  type HostileApplication,
  type HostileComponent,
  writeApplication,
} from '../hostile/support/application.ts'
import { gatewayOver, publisher as component } from '../hostile/support/publisher.ts'
import { digestOf, type OciServer, startOci } from './oci-server.ts'
import { described } from './package.ts'

const [a, b] = [newKeyPair(), newKeyPair()]
const nameOf = ({ publicKey }: { publicKey: string }) => `ed25519:${publicKey}`

let weather: Uint8Array
let gateway: HostileComponent
let registry: OciServer
let application: HostileApplication
let subject: string

beforeAll(async () => {
  weather = await component({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }] })
  gateway = await gatewayOver(['none'])
})
beforeEach(async () => {
  registry = await startOci()
  application = await writeApplication({ gateway })
  const annotations = { [OCI_ANNOTATION]: JSON.stringify(described(weather)) }
  subject = registry.put('1', [{ mediaType: WASM_LAYER, bytes: weather }], { annotations })
})
afterEach(() => Promise.all([registry.close(), application.remove()]))

/** @returns the digest of the artifact with the signature. */
function sign(key: { privateKey: string }, change = {}): string {
  const bytes = Buffer.from(
    JSON.stringify(signPackage({ ...described(weather), ...change }, key.privateKey)),
  )
  const more = { subject: { digest: subject }, artifactType: SIGNATURE_TYPE }
  return registry.put(`s${registry.tags.size}`, [{ mediaType: SIGNATURE_TYPE, bytes }], more)
}

const candidate = (options: Partial<AddOptions>) =>
  fetchCandidate(`oci://${registry.host}/acme/weather:1`, application.folder, {
    ...{ keys: [], requireSignature: false, ...options },
    file: { hosts: [], stores: [], variables: [] },
  })

it.each([
  ['first', [a, b]],
  ['last', [b, a]],
])('a trusted key counts when its signature is listed %s', async (_, order) => {
  for (const key of order) sign(key)
  const { added, checks } = await candidate({ keys: [nameOf(a)], requireSignature: true })
  expect(added.signer).toBe(nameOf(a))
  expect(checks).toContainEqual(expect.stringContaining('signed by a key that you trust'))
})

it('a version of several signers keeps the one from before, and takes a trusted one instead', async () => {
  sign(b)
  await commitCandidate(application.folder, await candidate({}))
  sign(a)
  const next = await candidate({})
  expect(next.added.signer).toBe(nameOf(b))
  const moved = await candidate({ keys: [nameOf(a)] })
  await commitCandidate(application.folder, moved)
  expect((await readAdded(application.folder))['weather']?.signer).toBe(nameOf(a))
})

it('a signature that the registry has lost is a warning, and a refusal only where one is required', async () => {
  registry.blobs.delete(sign(a))
  expect((await candidate({})).warnings).toEqual([expect.stringContaining('cannot be read')])
  const required = candidate({ keys: [nameOf(a)], requireSignature: true })
  await expect(required).rejects.toThrow('cannot be read')
  sign(b)
  const other = await candidate({ keys: [nameOf(b)], requireSignature: true })
  expect(other.added.signer).toBe(nameOf(b))
})

it('a signature of something else is a warning beside one that fits, and a refusal alone', async () => {
  sign(a, { version: '9.9.9' })
  await expect(candidate({})).rejects.toThrow('changed after it was signed')
  sign(b)
  const { warnings, added } = await candidate({ keys: [nameOf(b)], requireSignature: true })
  expect(added.signer).toBe(nameOf(b))
  expect(warnings).toEqual(['it has 1 signature of something else'])
})

const entryOf = (digest: string, artifactType: unknown = SIGNATURE_TYPE) => ({
  digest,
  artifactType,
})

/** Answers the list of referrers with these pages, each of which names the next. */
function listPages(pages: readonly (readonly object[])[]): void {
  const path = `/v2/acme/weather/referrers/${subject}`
  registry.answer(path, (request, response) => {
    const nth = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 0)
    const next = nth + 1 < pages.length && { link: `<${path}?page=${nth + 1}>; rel="next"` }
    response.writeHead(200, { ...next }).end(JSON.stringify({ manifests: pages[nth] }))
  })
}

const reports = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    entryOf(`sha256:${at.toString(16).padStart(64, '0')}`, 'application/vnd.scan.report'),
  )

it.each([
  ['on the first page', (mine: object) => [[...reports(500), mine]]],
  ['on the third page', (mine: object) => [reports(50), reports(100).slice(50), [mine]]],
])('a signature behind many reports of scanners counts %s', async (_, pages) => {
  listPages(pages(entryOf(sign(a))))
  const { added } = await candidate({ keys: [nameOf(a)], requireSignature: true })
  expect(added.signer).toBe(nameOf(a))
})

it('a list of referrers without an end is refused', async () => {
  listPages(Array.from({ length: 100 }, () => []))
  await expect(candidate({})).rejects.toThrow('more than 16 pages')
})

it.each([429, 500, 503])(
  'a registry that answers %i for the list is an error, and not a component without signatures',
  async (status) => {
    sign(a)
    registry.answer(`/v2/acme/weather/referrers/${subject}`, (_, response) => {
      response.writeHead(status).end()
    })
    await expect(candidate({})).rejects.toThrow(`answered ${status}`)
  },
)

it.each([
  ['kind is an object', () => entryOf(subject, { toString: 1, valueOf: 1 })],
  ['digest is of another kind', () => entryOf('sha512:0')],
  ['manifest is not JSON', () => entryOf(stored('not JSON'))],
  ['signature is not JSON', () => entryOf(attachment('{'))],
  ['signature is too large', () => entryOf(attachment(`"${'x'.repeat(70_000)}"`))],
  ['bundle is too large', () => entryOf(attachment(`"${'x'.repeat(2 ** 20)}"`), BUNDLE)],
])('an entry whose %s costs only itself', async (_, odd) => {
  listPages([[odd(), entryOf(sign(a))]])
  const { added } = await candidate({ keys: [nameOf(a)], requireSignature: true })
  expect(added.signer).toBe(nameOf(a))
})

const BUNDLE = 'application/vnd.dev.sigstore.bundle.v0.3+json'

function stored(text: string): string {
  const digest = digestOf(text)
  registry.blobs.set(digest, Buffer.from(text))
  return digest
}

const attachment = (text: string) =>
  registry.put('odd', [{ mediaType: SIGNATURE_TYPE, bytes: Buffer.from(text) }])
