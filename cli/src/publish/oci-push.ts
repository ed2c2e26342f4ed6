/** Pushes artifacts to an OCI registry. @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#push */
import { CommandFailure } from '../terminal/failure.ts'
import { sha256Of } from '../registry/component-package.ts'
import { jsonOf, OciClient, type OciReference } from '../registry/oci-client.ts'
import { pushLogin } from '../registry/oci-login.ts'
import { MANIFEST } from '../registry/oci-manifest-and-blob.ts'
import type { Reply } from '../registry/registry-request.ts'
import { listReferrer } from './oci-referrers.ts'
import { loginRemedy, pushFailure } from './push-failure.ts'
import type { Artifact, Blob } from './oci-artifact.ts'

/** Bytes of an answer to a push, which is an error or nothing. */
const MOST_ANSWER = 64 * 1024

export interface PushOptions {
  /** Replaces a tag that points to another artifact. @default false */
  replace?: boolean
  /** Begins a step; the result ends it. */
  onStep?: (text: string) => (done: string) => void
}

export class OciPush {
  readonly #client: OciClient
  readonly #reference: OciReference
  readonly #from: string

  /** @throws {CommandFailure} for a reference without a tag. */
  constructor(reference: OciReference) {
    if (reference.reference.startsWith('sha256:'))
      throw new CommandFailure('--oci must have a tag, such as :1.2.0, and not a digest')
    const { login, from } = pushLogin(reference.host)
    const loginHint = loginRemedy(
      reference.host,
      reference.repository,
      login === undefined ? from : '',
    )
    this.#client = new OciClient(reference, { action: 'pull,push', login, loginHint })
    this.#reference = reference
    this.#from = from
  }

  /**
   * Uploads what the registry does not have. The manifest comes last, so that no client fetches an incomplete artifact.
   *
   * @returns whether the tag pointed to it before.
   * @throws {CommandFailure}
   */
  async push(
    artifact: Artifact,
    { replace = false, onStep = () => () => undefined }: PushOptions = {},
  ): Promise<{ wasThere: boolean }> {
    const { reference: tag } = this.#reference
    const before = await this.#digestOfTag(tag)
    if (before === artifact.digest) return { wasThere: true }
    if (before !== undefined && !replace) {
      throw new CommandFailure(
        `${this.#name}:${tag} is published already, with another content (${before}). Publish it under a new version, or replace ` +
          'it with --replace: applications that have added it keep the digest that they accepted.',
      )
    }
    for (const blob of artifact.blobs) await this.#uploadBlob(blob, onStep)
    await this.#putManifest(tag, artifact)
    return { wasThere: false }
  }

  /** Pushes an artifact without a tag, and lists it with its subject. @throws {CommandFailure} */
  async attach(artifact: Artifact, subject: Artifact, artifactType: string): Promise<void> {
    for (const blob of artifact.blobs) await this.#uploadBlob(blob)
    const { headers } = await this.#putManifest(artifact.digest, artifact)
    // A registry that keeps no lists of referrers does not send this header.
    if (headers['oci-subject'] !== undefined) return
    await listReferrer({
      client: this.#client,
      artifact,
      subject: subject.digest,
      artifactType,
      failure: (reply) => this.#failure(reply),
    })
  }

  get #name(): string {
    return `oci://${this.#reference.host}/${this.#reference.repository}`
  }

  async #digestOfTag(tag: string): Promise<string | undefined> {
    const reply = await this.#client.send(`manifests/${tag}`, {
      headers: { accept: `${MANIFEST}, application/vnd.oci.image.index.v1+json, */*` },
      limit: 4 * 1024 * 1024,
    })
    if (reply.status === 404) return undefined
    if (reply.status !== 200) throw this.#failure(reply)
    // Not the header, which the registry could set to anything.
    return sha256Of(reply.body)
  }

  async #uploadBlob(
    { digest, bytes, mediaType }: Blob,
    onStep: PushOptions['onStep'] = () => () => undefined,
  ): Promise<void> {
    const what = `${mediaType}, ${(bytes.length / 1e6).toFixed(2)} MB`
    const there = await this.#client.send(`blobs/${digest}`, { method: 'HEAD', limit: MOST_ANSWER })
    if (there.status === 200) return onStep(`checking ${what}`)(`${what}: the registry has it`)
    if (there.status !== 404) throw this.#failure(there)
    const done = onStep(`uploading ${what}`)
    const started = await this.#client.send('blobs/uploads/', {
      method: 'POST',
      body: new Uint8Array(),
      limit: MOST_ANSWER,
    })
    const { location } = started.headers
    if (started.status !== 202 || typeof location !== 'string') throw this.#failure(started)
    const at = new URL(location, started.url)
    at.searchParams.set('digest', digest)
    const stored = await this.#client.send(at.href, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes,
      limit: MOST_ANSWER,
    })
    if (stored.status !== 201) throw this.#failure(stored)
    done(`${what}: uploaded`)
  }

  async #putManifest(reference: string, { manifest, digest }: Artifact): Promise<Reply> {
    const reply = await this.#client.send(`manifests/${reference}`, {
      method: 'PUT',
      headers: { 'content-type': MANIFEST },
      body: manifest,
      limit: MOST_ANSWER,
    })
    if (reply.status !== 201) throw this.#failure(reply)
    const stored = reply.headers['docker-content-digest']
    if (stored !== undefined && stored !== digest)
      throw new CommandFailure(
        `${this.#reference.host} has stored another manifest than it got (${String(stored).slice(0, 80)})`,
      )
    return reply
  }

  #failure(reply: Reply): CommandFailure {
    const answer = jsonOf(reply.body)
    return pushFailure(
      { ...this.#reference, loginFrom: this.#from },
      reply.status,
      answer,
      (text) => this.#client.redacted(text),
    )
  }
}
