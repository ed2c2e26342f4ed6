/** `auth_upstream`: the OpenID provider whose users sign in here. */
import { isObject, isString } from 'ftl-contract'
import { isLoopback, jsonIn, type Parse, urlIn } from 'ftl-http'

export interface UpstreamSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** Requested scopes. @default 'openid profile email' */
  scopes: string
  /** Claim of the ID token that names the groups of the user. @default 'groups' */
  groupsClaim: string
  /** Claim with the name that people know the user by. @default 'preferred_username' */
  nameClaim: string
  /** What a button says. @default the host of the issuer */
  title: string
}

const KNOWN = [
  'issuer',
  'client_id',
  'client_secret',
  'scopes',
  'groups_claim',
  'name_claim',
  'title',
]

export const parseUpstream: Parse<UpstreamSettings | undefined> = (text, refuse) => {
  if (text === '') return undefined
  const value = jsonIn(text)
  if (!isObject(value))
    return refuse('must be a JSON object with issuer, client_id and client_secret')
  const unknown = Object.keys(value).find((name) => !KNOWN.includes(name))
  if (unknown !== undefined) return refuse(`may have only ${KNOWN.join(', ')}`)
  const read = (name: string, otherwise?: string) => {
    const member = Object.hasOwn(value, name) ? value[name] : otherwise
    return isString(member) && member !== '' ? member : refuse(`needs a string in "${name}"`)
  }
  const issuer = read('issuer')
  const url = urlIn(issuer)
  if (
    !url ||
    (url.protocol !== 'https:' && !isLoopback(url)) ||
    url.search !== '' ||
    url.hash !== ''
  )
    return refuse(
      'needs an https address (http only on this machine), without a query, in "issuer"',
    )
  const scopes = read('scopes', 'openid profile email')
  if (!scopes.split(' ').includes('openid')) return refuse('needs the scope openid in "scopes"')
  return {
    issuer,
    clientId: read('client_id'),
    clientSecret: read('client_secret'),
    scopes,
    groupsClaim: read('groups_claim', 'groups'),
    nameClaim: read('name_claim', 'preferred_username'),
    title: read('title', url.host),
  }
}
