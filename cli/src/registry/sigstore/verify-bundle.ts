/** Verifies Sigstore bundles. Nothing of them is believed before; the library is loaded only when there is one. */
import { CommandFailure } from '../../terminal/failure.ts'
import {
  isAbout,
  isPublication,
  parseStatement,
  STATEMENT_TYPE,
  type Subject,
} from './statement.ts'

/** The signer of a bundle, by its certificate. */
export interface Identity {
  /** The OpenID provider that has vouched for it. */
  issuer: string
  /** An email address, or the address of a workflow with its ref. */
  subject: string
  /** Address of the repository whose workflow has signed. */
  repository?: string | undefined
}

/** A bundle that a registry has sent. */
export interface Attestation {
  bundle: unknown
  subject: Subject
  /** The bytes themselves, for bundles that sign them without a statement. */
  artifact?: Uint8Array | undefined
}

/** A key that a registry publishes for bundles without a certificate. */
export interface RegistryKey {
  keyid: string
  /** SPKI. */
  der: Uint8Array
}

/** The repository of a workflow, as UTF-8. @see https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md */
const SOURCE_REPOSITORY = '1.3.6.1.4.1.57264.1.12'

const load = async () => {
  const [verify, bundle, specs] = await Promise.all([
    import('@sigstore/verify'),
    import('@sigstore/bundle'),
    import('@sigstore/protobuf-specs'),
  ])
  return { ...verify, ...bundle, TrustedRoot: specs.TrustedRoot }
}

/**
 * Who has signed, by a certificate of the trusted root. A bundle needs a log entry, and its certificate one, too.
 *
 * @returns `undefined` for a bundle that names no signer: one about something else than publishing, or one that a key of the
 *   registry has signed.
 * @throws {CommandFailure} for a bundle that is not genuine or not about this artifact.
 */
export async function verifyBundle(
  { bundle, subject, artifact }: Attestation,
  trustedRoot: unknown,
  keys: readonly RegistryKey[] = [],
): Promise<Identity | undefined> {
  const library = await load()
  const trust = trustOf(library, trustedRoot, keys)
  try {
    const parsed = library.bundleFromJSON(bundle)
    const { content, verificationMaterial } = parsed
    const hint =
      verificationMaterial.content.$case === 'publicKey'
        ? verificationMaterial.content.publicKey.hint
        : undefined
    if (hint !== undefined && !keys.some(({ keyid }) => keyid === hint)) return undefined
    if (content.$case === 'dsseEnvelope') {
      const { payload, payloadType } = content.dsseEnvelope
      const statement = payloadType === STATEMENT_TYPE ? parseStatement(payload) : undefined
      if (!statement) throw new Error('it contains no in-toto statement')
      if (!isPublication(statement)) return undefined
      if (!isAbout(statement, subject)) throw new Error('it is about another artifact')
    } else if (!artifact) throw new Error('it contains no in-toto statement')
    const entity = library.toSignedEntity(parsed, artifact && Buffer.from(artifact))
    const { identity } = new library.Verifier(trust).verify(entity)
    if (hint !== undefined) return undefined
    const { subjectAlternativeName, extensions, oids = [] } = identity ?? {}
    if (!subjectAlternativeName || !extensions?.issuer)
      throw new Error('its certificate names no signer')
    const repository = oids.find(({ oid }) => oid?.id.join('.') === SOURCE_REPOSITORY)?.value
    return {
      issuer: extensions.issuer,
      subject: subjectAlternativeName,
      repository: repository && utf8Of(repository),
    }
  } catch (error) {
    throw new CommandFailure(
      `the Sigstore bundle of the package is not genuine: ${(error as Error).message.slice(0, 160)}`,
    )
  }
}

function trustOf(
  { toTrustMaterial, TrustedRoot }: Awaited<ReturnType<typeof load>>,
  trustedRoot: unknown,
  keys: readonly RegistryKey[],
) {
  const named = Object.fromEntries(
    keys.map(({ keyid, der }) => [keyid, { rawBytes: Buffer.from(der), keyDetails: 0 }]),
  )
  try {
    const root = TrustedRoot.fromJSON(trustedRoot)
    if (root.certificateAuthorities.length === 0 || root.tlogs.length === 0)
      throw new Error('it has no certificate authority or no log')
    return toTrustMaterial(root, named)
  } catch (error) {
    throw new CommandFailure(
      `the trusted root cannot be used: ${(error as Error).message.slice(0, 120)}. It must be a TrustedRoot of Sigstore in JSON`,
    )
  }
}

/** A UTF8String of DER, of at most 127 bytes or with a length of one or two bytes. */
function utf8Of(der: Uint8Array): string | undefined {
  const bytes = Buffer.from(der)
  if (bytes[0] !== 0x0c) return undefined
  const first = bytes[1] ?? 0
  const header = first < 0x80 ? 2 : 2 + (first & 0x7f)
  const length =
    first < 0x80 ? first : Number.parseInt(bytes.subarray(2, header).toString('hex'), 16)
  return header + length === bytes.length ? bytes.toString('utf8', header) : undefined
}
