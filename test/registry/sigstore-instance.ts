/** A Sigstore of its own: certificate authority, certificate log and transparency log, and bundles that it makes. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { initializeCA, initializeCTLog, initializeTLog } from '@sigstore/mock'

export const ISSUER = 'https://token.example'
export const REPOSITORY = 'https://git.example/acme/weather'
export const WORKFLOW = `${REPOSITORY}/.ci/release.yml@refs/tags/v1.0.0`

const LOG_URL = 'https://log.example'

export interface SignOptions {
  subject: { name?: string; digest: Record<string, string> }
  predicateType?: string
  issuer?: string
  workflow?: string
  repository?: string
  /** Milliseconds between the certificate and the log entry; a certificate is valid for ten minutes. @default 0 */
  loggedAfterMs?: number
}

export interface SigstoreInstance {
  /** A TrustedRoot, as JSON. */
  trustedRoot: object
  /** A bundle with a statement of in-toto. */
  attest(options: SignOptions): Promise<SignedBundle>
}

/** What the log answers; its own types need a package that it does not install. */
interface LogEntry {
  body: string
  integratedTime: number
  /** Hexadecimal. */
  logID: string
  logIndex: number
  verification: {
    signedEntryTimestamp: string
    inclusionProof: { logIndex: number; rootHash: string; treeSize: number; checkpoint: string }
  }
}

/** The parts that attacks change. */
export interface SignedBundle {
  mediaType: string
  verificationMaterial: {
    certificate: { rawBytes: string }
    tlogEntries: {
      logIndex: string
      integratedTime: string
      canonicalizedBody: string
      inclusionPromise?: { signedEntryTimestamp: string }
      inclusionProof: { checkpoint: { envelope: string } }
    }[]
  }
  dsseEnvelope: { payload: string; payloadType: string; signatures: { sig: string }[] }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const der = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const bytesOf = (view: ArrayBufferView) =>
  Buffer.from(view.buffer, view.byteOffset, view.byteLength)

const TYPE = 'application/vnd.in-toto+json'

export async function startSigstore(): Promise<SigstoreInstance> {
  const keys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const [caKeys, ctKeys, logKeys] = [keys(), keys(), keys()]
  const now = new Date()
  const ctLog = await initializeCTLog(ctKeys, now)
  const authority = await initializeCA(caKeys, ctLog, now)
  const validFor = { start: new Date(0).toISOString() }
  const logOf = (baseUrl: string, key: KeyObject) => ({
    baseUrl,
    hashAlgorithm: 'SHA2_256',
    publicKey: { rawBytes: base64(der(key)), keyDetails: 'PKIX_ECDSA_P256_SHA_256', validFor },
    logId: { keyId: base64(sha256(der(key))) },
  })
  const trustedRoot = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [logOf(LOG_URL, logKeys.publicKey)],
    ctlogs: [logOf('https://ct.example', ctKeys.publicKey)],
    certificateAuthorities: [
      {
        subject: { organization: 'example', commonName: 'example' },
        uri: 'https://ca.example',
        certChain: { certificates: [{ rawBytes: base64(bytesOf(authority.rootCertificate)) }] },
        validFor,
      },
    ],
    timestampAuthorities: [],
  }
  return {
    trustedRoot,
    async attest({
      subject,
      predicateType = 'https://slsa.dev/provenance/v1',
      issuer = ISSUER,
      workflow = WORKFLOW,
      repository = REPOSITORY,
      loggedAfterMs = 0,
    }) {
      const signer = keys()
      const certificate = await authority.issueCertificate({
        publicKey: der(signer.publicKey),
        subjectAltName: workflow,
        extensions: [
          { oid: '1.3.6.1.4.1.57264.1.1', value: issuer, legacy: true },
          { oid: '1.3.6.1.4.1.57264.1.8', value: issuer },
          { oid: '1.3.6.1.4.1.57264.1.12', value: repository },
        ],
      })
      const statement = {
        _type: 'https://in-toto.io/Statement/v1',
        ...{ subject: [subject], predicateType, predicate: {} },
      }
      const payload = Buffer.from(JSON.stringify(statement))
      const signed = `DSSEv1 ${TYPE.length} ${TYPE} ${payload.length} ${payload.toString()}`
      const signature = sign('sha256', Buffer.from(signed), signer.privateKey)
      const log = await initializeTLog(
        LOG_URL,
        logKeys,
        new Date(now.getTime() + loggedAfterMs + 1000),
      )
      const pem = `-----BEGIN CERTIFICATE-----\n${base64(bytesOf(certificate))}\n-----END CERTIFICATE-----\n`
      const entries = (await log.log({
        apiVersion: '0.0.1',
        kind: 'dsse',
        spec: {
          envelopeHash: { algorithm: 'sha256', value: sha256(payload).toString('hex') },
          payloadHash: { algorithm: 'sha256', value: sha256(payload).toString('hex') },
          signatures: [{ signature: base64(signature), verifier: base64(Buffer.from(pem)) }],
        },
      })) as Record<string, LogEntry>
      const [entry] = Object.values(entries)
      if (!entry) throw new Error('the log has answered without an entry')
      const proof = entry.verification.inclusionProof
      return {
        mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
        verificationMaterial: {
          certificate: { rawBytes: base64(bytesOf(certificate)) },
          tlogEntries: [
            {
              logIndex: String(entry.logIndex),
              logId: { keyId: Buffer.from(entry.logID, 'hex').toString('base64') },
              kindVersion: { kind: 'dsse', version: '0.0.1' },
              integratedTime: String(entry.integratedTime),
              inclusionPromise: { signedEntryTimestamp: entry.verification.signedEntryTimestamp },
              inclusionProof: {
                logIndex: String(proof.logIndex),
                rootHash: Buffer.from(proof.rootHash, 'hex').toString('base64'),
                treeSize: String(proof.treeSize),
                hashes: [],
                checkpoint: { envelope: proof.checkpoint },
              },
              canonicalizedBody: entry.body,
            },
          ],
        },
        dsseEnvelope: {
          payload: base64(payload),
          payloadType: TYPE,
          signatures: [{ sig: base64(signature) }],
        },
      }
    },
  }
}
