// An artifact that several keys have signed, and signatures that its registry has lost.
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  type AddOptions,
  commitCandidate,
  fetchCandidate,
} from '../../cli/src/registry/candidate.ts'
import { readAdded } from '../../cli/src/registry/added-lock.ts'
import { OCI_ANNOTATION } from '../../cli/src/registry/component-package.ts'
import { WASM_LAYER } from '../../cli/src/registry/oci.ts'
import { SIGNATURE_TYPE } from '../../cli/src/registry/oci-attached.ts'
import { newKeyPair, signPackage } from '../../cli/src/registry/signature.ts'
import {
  type HostileApplication,
  type HostileComponent,
  writeApplication,
} from '../hostile/support/application.ts'
import { gatewayOver, publisher as component } from '../hostile/support/publisher.ts'
import { type OciServer, startOci } from './oci-server.ts'
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
  expect((await candidate({})).warnings).toEqual([expect.stringContaining('are gone')])
  const required = candidate({ keys: [nameOf(a)], requireSignature: true })
  await expect(required).rejects.toThrow('are gone')
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
  expect(warnings).toEqual([expect.stringContaining('do not fit')])
})
