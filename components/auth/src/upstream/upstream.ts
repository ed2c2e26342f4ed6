/** `auth_upstream`: the server whose users sign in here. */
import { isLoopback, type Parse, urlIn } from 'ftl-http'

export interface Upstream {
  kind: 'oidc' | 'github'
  /** Issuer of an OpenID provider, or origin of GitHub. */
  issuer: string
  /** As users know it. */
  label: string
  /**
   * Begins the `sub` of each of its users: the same name of another server is another user. No user with a pass phrase has
   * a colon in the name.
   */
  prefix: string
}

const GITHUB = 'https://github.com'
const LONGEST = 300

export const parseUpstream: Parse<Upstream | undefined> = (text, refuse) => {
  if (text === '') return undefined
  const isGitHub = text === 'github' || text.startsWith('github:')
  const issuer = text === 'github' ? GITHUB : isGitHub ? text.slice('github:'.length) : text
  const url = urlIn(issuer)
  if (
    !url ||
    text.length > LONGEST ||
    (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) ||
    /[?#\s]/.test(issuer) ||
    url.username !== '' ||
    url.password !== '' ||
    (isGitHub && url.origin !== issuer)
  )
    return refuse(
      'must be the issuer of an OpenID provider such as https://accounts.google.com, "github", or github:https://ghe.example ' +
        '(http only on this machine)',
    )
  if (!isGitHub && url.hostname === 'github.com')
    return refuse('must be "github": GitHub is not an OpenID provider for users')
  const place = url.host + (isGitHub ? '' : url.pathname.replace(/\/+$/, ''))
  return {
    kind: isGitHub ? 'github' : 'oidc',
    // What is special about a provider must not depend on how it is written.
    issuer: url.pathname === '/' ? url.origin : url.href,
    label: issuer === GITHUB ? 'GitHub' : url.host,
    prefix: `${place}:`,
  }
}
