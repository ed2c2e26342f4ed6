/** Signatures of packages by a key of their publisher: Ed25519 over what the package says, digest and rights included. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { type ComponentPackage, signedText } from './component-package.ts'

export interface PackageSignature {
  algorithm: 'ed25519'
  /** Base64 of the raw 32 bytes. */
  publicKey: string
  /** Base64, over {@link signedText}. */
  signature: string
}

/** Separates these signatures from others that the same key may make. */
const DOMAIN = 'ftl component package 1\n'

/** SPKI of an Ed25519 key, before its 32 bytes. @see https://www.rfc-editor.org/rfc/rfc8410 */
const PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

export function newKeyPair(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: rawOf(publicKey),
  }
}

const rawOf = (key: KeyObject) =>
  key.export({ type: 'spki', format: 'der' }).subarray(PREFIX.length).toString('base64')

/** @param pem PKCS#8. @throws {CommandFailure} */
export function signPackage(about: ComponentPackage, pem: string): PackageSignature {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new CommandFailure('the key must be a private key in PEM, as ftl key signing makes it')
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new CommandFailure('the key must be of the kind Ed25519')
  const signature = sign(null, Buffer.from(DOMAIN + signedText(about)), key).toString('base64')
  return { algorithm: 'ed25519', publicKey: rawOf(createPublicKey(key)), signature }
}

/**
 * The key that has signed it, as `ed25519:` and base64.
 *
 * @throws {CommandFailure} for a signature that is not one of this package: that is worse than none.
 */
function signerOf(about: ComponentPackage, value: unknown): string {
  const bad = new CommandFailure(
    'the signature of the package does not fit: the package was changed after it was signed',
  )
  if (!isObject(value) || value['algorithm'] !== 'ed25519') throw bad
  const { publicKey, signature } = value
  if (typeof publicKey !== 'string' || typeof signature !== 'string') throw bad
  const raw = Buffer.from(publicKey, 'base64')
  if (raw.length !== 32) throw bad
  const key = createPublicKey({ key: Buffer.concat([PREFIX, raw]), type: 'spki', format: 'der' })
  const text = Buffer.from(DOMAIN + signedText(about))
  if (!verify(null, text, key, Buffer.from(signature, 'base64'))) throw bad
  return `ed25519:${raw.toString('base64')}`
}

export interface Signers {
  /** As {@link signerOf} writes them. */
  signers: string[]
  /** Signatures of something else. */
  unfit: number
}

/** @throws {CommandFailure} when there are signatures, and none is one of this package. */
export function signersOf(about: ComponentPackage, values: readonly unknown[]): Signers {
  const signers = new Set<string>()
  let problem: Error | undefined
  let unfit = 0
  for (const value of values) {
    try {
      signers.add(signerOf(about, value))
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error
      problem = error
      unfit++
    }
  }
  if (signers.size === 0 && problem) throw problem
  return { signers: [...signers].toSorted(), unfit }
}

/** Short enough to compare by eye. */
export const fingerprintOf = (signer: string) =>
  createHash('sha256').update(signer).digest('hex').slice(0, 16)

/** A key that a project trusts, as {@link signerOf} writes it. @throws {CommandFailure} */
export function parseSigner(text: string): string {
  const [, base64 = ''] = /^ed25519:([A-Za-z0-9+/]{43}=)$/.exec(text.trim()) ?? []
  if (base64 === '') {
    throw new CommandFailure(
      `"${text.slice(0, 60)}" must be a public key: ed25519: and 44 characters of base64`,
    )
  }
  return `ed25519:${base64}`
}
