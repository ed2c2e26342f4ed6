/** Requests to an OCI registry, with its authentication. @see https://github.com/opencontainers/distribution-spec */
import { isIP } from 'node:net'
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { loginOf, trustedTokenHost } from './oci-login.ts'
import { isLoopback, type Reply, requestOf, type RequestOptions } from './registry-request.ts'

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

export interface OciClientOptions {
  /** @default pull */
  action?: 'pull' | 'pull,push'
  /** Base64 of `user:password`. @default what `docker login` has stored for the host */
  login?: string | undefined
  /** What to do when there is no login, and the registry wants one. @default docker login */
  loginHint?: string | undefined
}

export class OciClient {
  readonly host: string
  readonly repository: string
  readonly #action: string
  readonly #login: string | undefined
  readonly #loginHint: string
  #authorization: string | undefined

  constructor(
    { host, repository }: OciReference,
    { action = 'pull', login, loginHint }: OciClientOptions = {},
  ) {
    this.host = host
    this.repository = repository
    this.#action = action
    this.#login = login ?? loginOf(host)
    this.#loginHint = loginHint ?? `run docker login ${host}`
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

  /** Without the credentials that this client has used: a registry may repeat them in an error. */
  redacted(text: string): string {
    const [, password = ''] =
      /^[^:]*:(.+)$/s.exec(Buffer.from(this.#login ?? '', 'base64').toString('utf8')) ?? []
    const secrets = [this.#login ?? '', password, this.#authorization?.replace(/^\S+ /, '') ?? '']
    return secrets.reduce((left, each) => (each === '' ? left : left.replaceAll(each, '…')), text)
  }

  #with(options: RequestOptions, url: string): RequestOptions {
    const isOwn = new URL(url).origin === this.origin
    return isOwn
      ? { ...options, authorization: this.#authorization }
      : { ...options, isNamed: false }
  }

  async #answerTo(challenge: string): Promise<string> {
    const login = this.#login
    if (/^basic\b/i.test(challenge)) {
      if (login !== undefined) return `Basic ${login}`
      throw new CommandFailure(`${this.host} needs a login: ${this.#loginHint}`)
    }
    const realm = /realm="([^"]+)"/i.exec(challenge)?.[1]
    if (!/^bearer\b/i.test(challenge) || realm === undefined || !URL.canParse(realm)) {
      throw new CommandFailure(`${this.host} wants an authentication that ftl does not support`)
    }
    const url = new URL(realm)
    const isOwn = url.origin === this.origin
    if (login !== undefined && !isOwn && !mayHavePassword(url, this.host)) {
      throw new CommandFailure(
        `${this.host} asks for your password at ${url.host}, which may belong to another operator: it was not sent. ` +
          `If that is the token service of ${this.host}, set FTL_REGISTRY_AUTH_HOST=${url.host}`,
      )
    }
    const service = /service="([^"]+)"/i.exec(challenge)?.[1]
    if (service !== undefined) url.searchParams.set('service', service)
    url.searchParams.set('scope', `repository:${this.repository}:${this.#action}`)
    const { status, body } = await requestOf(url.href, {
      authorization: login === undefined ? undefined : `Basic ${login}`,
      limit: 64 * 1024,
      isNamed: isOwn,
    })
    const answer: unknown = status === 200 ? jsonOf(body) : undefined
    const token = isObject(answer) ? (answer['token'] ?? answer['access_token']) : undefined
    if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return `Bearer ${token}`
    throw new CommandFailure(
      `${this.host} refuses access to ${this.repository} (its token service answered ${status}): ` +
        (login === undefined ? this.#loginHint : 'the login is wrong or has no access to it'),
    )
  }
}

/**
 * Whether a token service gets the password of a registry: a host above or below the registry's own host, as `gitlab.example`
 * for `registry.gitlab.example`. Hosts beside it may belong to someone else, as under `co.uk` or at a provider of pages.
 */
export function mayHavePassword(realm: URL, registry: string): boolean {
  if (realm.protocol !== 'https:' || isIP(realm.hostname.replace(/^\[|\]$/g, '')) > 0) return false
  if (realm.host === trustedTokenHost()) return true
  if (realm.host === registry) return true
  const [own, other] = [registry.replace(/:\d+$/, ''), realm.hostname]
  if (realm.port !== '' || !own.includes('.') || !other.includes('.')) return false
  return own.endsWith(`.${other}`) || other.endsWith(`.${own}`)
}

export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
