// Bundles of a real Sigstore (with keys of its own), and what an attacker would change in them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyBundle } from '../../cli/src/registry/sigstore/verify-bundle.ts'
import { readTrustedRoot } from '../../cli/src/registry/sigstore/trusted-root.ts'
import {
  ISSUER,
  REPOSITORY,
  type SignedBundle,
  type SigstoreInstance,
  startSigstore,
  WORKFLOW,
} from './sigstore-instance.ts'

const DIGEST = 'ab'.repeat(32)
const about = { digest: { sha256: DIGEST } }
const subject = { algorithm: 'sha256', digest: DIGEST } as const

let sigstore: SigstoreInstance
let folder: string

beforeAll(async () => {
  sigstore = await startSigstore()
  folder = await mkdtemp(join(tmpdir(), 'ftl-root-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const verify = (bundle: unknown, root: unknown = sigstore.trustedRoot) =>
  verifyBundle({ bundle, subject }, root)

it('a bundle names its signer: issuer, workflow and repository', async () => {
  const bundle = await sigstore.attest({ subject: about })
  expect(await verify(bundle)).toEqual({
    issuer: ISSUER,
    subject: WORKFLOW,
    repository: REPOSITORY,
  })
})

it('a statement that is not about publishing names no signer', async () => {
  const predicateType = 'https://scanner.example/report/v1'
  expect(await verify(await sigstore.attest({ subject: about, predicateType }))).toBeUndefined()
})

describe('a bundle is refused', () => {
  const changed = async (change: (bundle: SignedBundle) => void) => {
    const bundle = await sigstore.attest({ subject: about })
    change(bundle)
    return bundle
  }
  const refused = async (bundle: unknown, reason: string | RegExp) =>
    expect(verify(bundle)).rejects.toThrow(reason)
  const entryOf = (bundle: SignedBundle) => {
    const [entry] = bundle.verificationMaterial.tlogEntries
    if (!entry) throw new Error('the bundle has no log entry')
    return entry
  }
  /** One bit of the last byte but two. */
  const flipped = (base64: string) => {
    const bytes = Buffer.from(base64, 'base64')
    const at = bytes.length - 3
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    return bytes.toString('base64')
  }

  it('that is about another artifact', async () =>
    refused(
      await sigstore.attest({ subject: { digest: { sha256: 'cd'.repeat(32) } } }),
      'another artifact',
    ))

  it('with another statement than was signed', async () =>
    refused(
      await changed((bundle) => {
        const { payload } = bundle.dsseEnvelope
        const text = Buffer.from(payload, 'base64')
          .toString()
          .replace('"predicate":{}', '"predicate":[]')
        bundle.dsseEnvelope.payload = Buffer.from(text).toString('base64')
      }),
      'not genuine',
    ))

  it('with a certificate that had expired when it was logged', async () =>
    refused(await sigstore.attest({ subject: about, loggedAfterMs: 11 * 60_000 }), 'certificate'))

  it('with a certificate that was not yet valid when it was logged', async () =>
    refused(await sigstore.attest({ subject: about, loggedAfterMs: -60 * 60_000 }), 'certificate'))

  it('with another time in its log entry', async () =>
    refused(
      await changed((bundle) => {
        const entry = entryOf(bundle)
        entry.integratedTime = String(Number(entry.integratedTime) + 1)
      }),
      'inclusion promise',
    ))

  it('with a changed log entry', async () =>
    refused(
      await changed((bundle) => {
        const entry = entryOf(bundle)
        const text = Buffer.from(entry.canonicalizedBody, 'base64').toString()
        entry.canonicalizedBody = Buffer.from(text.replace('"dsse"', '"dsse" ')).toString('base64')
      }),
      'inclusion',
    ))

  it('with the log entry of another bundle', async () => {
    const other = await sigstore.attest({ subject: about })
    await refused(
      await changed((bundle) => {
        bundle.verificationMaterial.tlogEntries = other.verificationMaterial.tlogEntries
      }),
      'mismatch',
    )
  })

  it('with a proof of inclusion in another log', async () =>
    refused(
      await changed((bundle) => {
        const { checkpoint } = entryOf(bundle).inclusionProof
        checkpoint.envelope = checkpoint.envelope.replace(/\n1\n/, '\n2\n')
      }),
      'checkpoint',
    ))

  it('without a log entry', async () =>
    refused(
      await changed((bundle) => {
        bundle.verificationMaterial.tlogEntries = []
      }),
      'not genuine',
    ))

  it('with a changed signature', async () =>
    refused(
      await changed(({ dsseEnvelope: { signatures } }) => {
        for (const each of signatures) each.sig = flipped(each.sig)
      }),
      'not genuine',
    ))

  it('of a Sigstore that the root does not name', async () => {
    const other = await startSigstore()
    await refused(await other.attest({ subject: about }), 'not genuine')
  })

  it.each([[null], [{}], [{ mediaType: 'x' }], ['text'], [[]]])(
    'that is no bundle: %j',
    async (bundle) => refused(bundle, 'not genuine'),
  )
})

describe('a trusted root', () => {
  it('that is not there, no JSON, or empty, is named with what to do', async () => {
    await expect(readTrustedRoot(join(folder, 'none'))).rejects.toThrow('there is no trusted root')
    const file = join(folder, 'root.json')
    await writeFile(file, 'x')
    await expect(readTrustedRoot(file)).rejects.toThrow('must be JSON')
    const bundle = await sigstore.attest({ subject: about })
    await expect(verify(bundle, {})).rejects.toThrow('the trusted root cannot be used')
    await expect(verify(bundle, 'x')).rejects.toThrow('the trusted root cannot be used')
  })
})
