/** Requests to an OCI registry, with its authentication. @see https://github.com/opencontainers/distribution-spec */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isIP } from 'node:net'
import { isRecord } from '../contract-test/offer.ts'
import { CommandFailure } from '../failure.ts'
import { isLoopback, type Reply, requestOf, type RequestOptions } from './reply.ts'

export interface OciReference {
  /** `host` or `host:port`. */
  host: string
  repository: string
  /** A tag, or a digest. */
  reference: string
}

/** @param text without `oci://`. @throws {CommandFailure} */
export function parseReference(text: string): OciReference {
  const [, host = '', repository = '', tag, digest] =
    /^([a-z0-9.-]+(?::\d+)?|\[::1\]:\d+)\/([a-z0-9]+(?:[._/-]+[a-z0-9]+)*)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/i.exec(
      text,
    ) ?? []
  if (host === '')
    throw new CommandFailure(`"oci://${text.slice(0, 80)}" must have the form oci://host/name:tag`)
  return { host, repository, reference: digest ?? tag ?? 'latest' }
}

type Action = 'pull' | 'pull,push'

export class OciClient {
  readonly host: string
  readonly repository: string
  readonly #action: Action
  #authorization: string | undefined

  constructor({ host, repository }: OciReference, action: Action = 'pull') {
    this.host = host
    this.repository = repository
    this.#action = action
  }

  /** @param path after `/v2/{repository}/`, or a `location` of the registry. */
  async send(path: string, options: RequestOptions): Promise<Reply> {
    const url = new URL(path, `${this.origin}/v2/${this.repository}/`).href
    const first = await requestOf(url, this.#with(options, url))
    if (first.status !== 401) return first
    const challenge = first.headers['www-authenticate']
    this.#authorization = await this.#answerTo(String(challenge ?? ''))
    return requestOf(url, this.#with(options, url))
  }

  get origin(): string {
    const bare = this.host.replace(/:\d+$/, '')
    return `${isLoopback(bare) ? 'http' : 'https'}://${this.host}`
  }

  #with(options: RequestOptions, url: string): RequestOptions {
    const isOwn = new URL(url).origin === this.origin
    return isOwn ? { ...options, authorization: this.#authorization } : options
  }

  async #answerTo(challenge: string): Promise<string> {
    const login = credentialsOf(this.host)
    if (/^basic\b/i.test(challenge)) {
      if (login !== undefined) return `Basic ${login}`
      throw new CommandFailure(`${this.host} needs a login: run docker login ${this.host}`)
    }
    const realm = /realm="([^"]+)"/i.exec(challenge)?.[1]
    if (!/^bearer\b/i.test(challenge) || realm === undefined || !URL.canParse(realm)) {
      throw new CommandFailure(`${this.host} wants an authentication that ftl does not support`)
    }
    const url = new URL(realm)
    if (login !== undefined && !isOneOperator(url, this.origin)) {
      throw new CommandFailure(
        `${this.host} asks for your password at ${url.host}, which belongs to another operator: it was not sent`,
      )
    }
    const service = /service="([^"]+)"/i.exec(challenge)?.[1]
    if (service !== undefined) url.searchParams.set('service', service)
    url.searchParams.set('scope', `repository:${this.repository}:${this.#action}`)
    const { status, body } = await requestOf(url.href, {
      authorization: login === undefined ? undefined : `Basic ${login}`,
      limit: 64 * 1024,
    })
    const answer: unknown = status === 200 ? jsonOf(body) : undefined
    const token = isRecord(answer) ? (answer['token'] ?? answer['access_token']) : undefined
    if (typeof token === 'string') return `Bearer ${token}`
    throw new CommandFailure(
      `${this.host} refuses access to ${this.repository}: run docker login ${this.host}`,
    )
  }
}

/** Registries keep their tokens at a host beside them, such as `auth.example` for `registry.example`. */
function isOneOperator(realm: URL, origin: string): boolean {
  const registry = new URL(origin)
  if (realm.origin === registry.origin) return true
  if (realm.protocol !== 'https:' || isIP(realm.hostname) > 0) return false
  const parent = (host: string) => host.split('.').slice(-2).join('.')
  const isShared = realm.hostname.split('.').length > 2 && registry.hostname.split('.').length > 2
  return (
    isShared &&
    parent(realm.hostname) === parent(registry.hostname) &&
    parent(realm.hostname).length > 6
  )
}

/** Base64 of `user:password`, as `docker login` and others write it. */
function credentialsOf(host: string): string | undefined {
  const folder = process.env['DOCKER_CONFIG'] ?? join(homedir(), '.docker')
  let config: unknown
  try {
    config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'))
  } catch {
    return undefined
  }
  const auths = isRecord(config) && isRecord(config['auths']) ? config['auths'] : {}
  const entry = Object.hasOwn(auths, host) ? auths[host] : undefined
  const auth = isRecord(entry) ? entry['auth'] : undefined
  return typeof auth === 'string' && auth !== '' ? auth : undefined
}

export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
