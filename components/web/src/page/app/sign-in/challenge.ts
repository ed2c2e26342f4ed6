/** What a server says with a 401 or a 403: where to get a token, and for what. */

export interface Challenge {
  /** Whether authorization servers issue tokens for this server. Otherwise it takes API keys only. */
  hasIssuers: boolean
  /** Scopes that the request needs. */
  scopes: readonly string[]
  /** `insufficient_scope`, `invalid_token` or nothing. */
  error: string
}

const PARAMETER = /([a-z_]+)="([^"]*)"/g

/** @returns `undefined` if the server asks for no token, such as behind a proxy that signs users in itself. */
export function readChallenge({ status, headers }: Response): Challenge | undefined {
  const header = headers.get('www-authenticate') ?? ''
  if (![401, 403].includes(status) || !/^bearer\b/i.test(header)) return undefined
  const found = parametersOf(header)
  return {
    hasIssuers: found.has('resource_metadata'),
    scopes: (found.get('scope') ?? '').split(' ').filter((scope) => scope !== ''),
    error: found.get('error') ?? '',
  }
}

/** The parameters of a challenge, by name. */
export function parametersOf(header: string): ReadonlyMap<string, string> {
  return new Map([...header.matchAll(PARAMETER)].map(([, name = '', value = '']) => [name, value]))
}

/** Text of another server, to be shown: without characters that change the order of the text around them. */
export function plainWords(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return plain.length <= 200 ? plain : `${plain.slice(0, 199)}…`
}
