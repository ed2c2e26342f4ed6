/** What a project trusts: keys of publishers and identities of Sigstore, from the manifest and the options. */
import { resolve } from 'node:path'
import type { Manifest } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import type { Added } from './added-lock.ts'
import type { Fetched } from './fetched.ts'
import {
  type ExpectedIdentity,
  identityText,
  isExpected,
  parseExpected,
} from './sigstore/expected-signer.ts'
import { readTrustedRoot } from './sigstore/trusted-root.ts'
import type { Identity } from './sigstore/verify-bundle.ts'
import { fingerprintOf, parseSigner } from './publisher-signature.ts'

export interface TrustOptions {
  /** Public keys that are trusted, besides those of the project. */
  keys: readonly string[]
  requireSignature: boolean
  /** Signers of Sigstore that are trusted, besides those of the project. @default none */
  identities?: readonly ExpectedIdentity[]
  /** File with the keys of Sigstore. @default that of the project */
  trustedRoot?: string | undefined
}

export interface TrustPolicy {
  signers: ReadonlySet<string>
  identities: readonly ExpectedIdentity[]
  /** Path of the file. */
  trustedRoot: string | undefined
  isRequired: boolean
}

const WHERE = '[application.tool.ftl]'

/** `[application.tool.ftl]`: `require_signature`, `signers`, `identities`, `trusted_root`. @throws {CommandFailure} */
export function trustPolicy({ tool, folder }: Manifest, options: TrustOptions): TrustPolicy {
  const table = tool['ftl'] ?? {}
  const { require_signature: required = false, signers = [], identities = [] } = table
  const { trusted_root: root } = table
  if (typeof required !== 'boolean')
    throw new CommandFailure(`${WHERE} require_signature must be true or false`)
  const isList = Array.isArray(signers) && signers.every((each) => typeof each === 'string')
  if (!isList) throw new CommandFailure(`${WHERE} signers must be a list of public keys`)
  if (!Array.isArray(identities))
    throw new CommandFailure(`${WHERE} identities must be a list of tables`)
  if (root !== undefined && (typeof root !== 'string' || root === ''))
    throw new CommandFailure(`${WHERE} trusted_root must be the path of a file`)
  const expected = [
    ...(identities as unknown[]).map((each) => parseExpected(each, `${WHERE} identities`)),
    ...(options.identities ?? []),
  ]
  const ofProject = root === undefined ? undefined : resolve(folder, root)
  const trustedRoot = options.trustedRoot === undefined ? ofProject : resolve(options.trustedRoot)
  if (expected.length > 0 && trustedRoot === undefined)
    throw new CommandFailure(
      `an identity can only be verified with the keys of Sigstore: name their file with --trusted-root or as trusted_root in ${WHERE}`,
    )
  return {
    signers: new Set([...signers, ...options.keys].map(parseSigner)),
    identities: expected,
    trustedRoot,
    isRequired: required || options.requireSignature,
  }
}

/** The signers of all bundles. @throws {CommandFailure} for a bundle that is not genuine: that is worse than none. */
export async function verifiedIdentities(
  { attestations, registryKeys }: Pick<Fetched, 'attestations' | 'registryKeys'>,
  { trustedRoot }: Pick<TrustPolicy, 'trustedRoot'>,
): Promise<Identity[]> {
  if (trustedRoot === undefined) return []
  const root = await readTrustedRoot(trustedRoot)
  const { verifyBundle } = await import('./sigstore/verify-bundle.ts')
  const found: Identity[] = []
  for (const each of attestations) {
    const identity = await verifyBundle(each, root, registryKeys)
    if (identity) found.push(identity)
  }
  return found
}

export interface Signed {
  /** Keys whose signatures fit. */
  signers: readonly string[]
  /** Signatures of something else. */
  unfit: number
  /** Signatures and bundles that the registry lists, and that could not be read. */
  unread: number
  identities: readonly Identity[]
  /** Bundles that were fetched, verified or not. */
  bundles: number
}

/** Signatures that say nothing about this package, one way or the other. */
export function trustWarnings({ unfit, unread }: Pick<Signed, 'unfit' | 'unread'>): string[] {
  return [
    ...(unfit > 0 ? [`it has ${countText(unfit)} of something else`] : []),
    ...(unread > 0
      ? [`the registry lists ${countText(unread)} that it does not have or that cannot be read`]
      : []),
  ]
}

const countText = (count: number) => (count === 1 ? '1 signature' : `${count} signatures`)

/** Of several signers, the one that later versions must have: a trusted one, or else the one from before. */
export function chosenSigner(
  { signers }: Pick<Signed, 'signers'>,
  { signers: known }: Pick<TrustPolicy, 'signers'>,
  before: string | undefined,
): string | undefined {
  const trusted = signers.filter((each) => known.has(each))
  const choice = trusted.length > 0 ? trusted : signers
  return choice.find((each) => each === before) ?? choice[0]
}

/**
 * A sentence for each fact about the signatures.
 *
 * @throws {CommandFailure} when the project requires a trusted signature and the package has none.
 */
export function trustChecks(
  { signers, identities, bundles, ...others }: Signed,
  { signers: known, identities: expected, trustedRoot, isRequired }: TrustPolicy,
): string[] {
  const keyIsTrusted = signers.some((each) => known.has(each))
  const trusted = identities.find((each) => isExpected(each, expected))
  const facts = [
    ...(signers.length === 0 ? ['not signed with a key of its publisher'] : []),
    ...signers.map((each) =>
      known.has(each)
        ? `signed by a key that you trust (${fingerprintOf(each)})`
        : `signed by ${each}, a key that you do not know`,
    ),
    ...(trusted ? [`signed with Sigstore by ${identityText(trusted)}, as you expect`] : []),
    ...identities
      .filter((each) => each !== trusted)
      .map((each) => `signed with Sigstore by ${identityText(each)}, which you did not name`),
    ...(bundles > 0 && trustedRoot === undefined
      ? ['has a Sigstore bundle, which is not verified without --trusted-root']
      : []),
  ]
  if (keyIsTrusted || trusted) return facts
  if (!isRequired && expected.length === 0) return facts
  throw new CommandFailure(
    `the package is ${[...facts, ...trustWarnings(others)].join('; ')}. This project takes only packages that are signed by a key or an identity that it ` +
      `trusts: name it with --key or --identity, or as signers or identities in ${WHERE}`,
  )
}

/** @throws {CommandFailure} when another one has signed the version that was added before. */
export function refuseOtherSigner(
  id: string,
  before: Added | undefined,
  { signers, identities }: Pick<Signed, 'signers' | 'identities'>,
  { trustedRoot }: Pick<TrustPolicy, 'trustedRoot'>,
): void {
  const way = `If its publisher says that this is right, run "ftl remove ${id}" and add it again.`
  if (before?.signer !== undefined && !signers.includes(before.signer)) {
    const others = signers.map(fingerprintOf).join(', ')
    const now = others === '' ? 'is not signed' : `is signed by another key (${others})`
    throw new CommandFailure(
      `"${id}" was signed by ${fingerprintOf(before.signer)}, and the new version ${now}. ${way}`,
    )
  }
  if (before?.identity === undefined) return
  if (identities.some((each) => identityText(each) === before.identity)) return
  const was = `"${id}" was signed with Sigstore by ${before.identity}`
  if (trustedRoot === undefined)
    throw new CommandFailure(`${was}: name the keys of Sigstore with --trusted-root`)
  const now = identities[0] ? `signed by ${identityText(identities[0])}` : 'not signed by Sigstore'
  throw new CommandFailure(`${was}, and the new version is ${now}. ${way}`)
}
