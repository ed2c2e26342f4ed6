/**
 * Where a client may have its users sent back to. Compared letter by letter, but for the port of a program on the user's
 * machine.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-2.1
 * @see https://www.rfc-editor.org/rfc/rfc8252#section-7.3
 */
import { urlIn } from 'ftl-http'

const LONGEST = 500

/** A browser would run these, or show them as a page of this server. */
const DANGEROUS =
  /^(javascript|data|vbscript|file|filesystem|blob|about|view-source|ws|wss|ftp|mailto|tel|sms|intent|chrome|chrome-extension|moz-extension|ms-.*|http):$/
/** Programs of a machine own these without a domain in their scheme. */
const PROGRAMS = [
  'cursor:',
  'vscode:',
  'vscode-insiders:',
  'windsurf:',
  'zed:',
  'raycast:',
  'claude:',
]

/** Parsers permit more, such as commas, which no host on the internet has. */
const HOST = /^([a-z0-9._-]+|\[[\da-f:.]+\])$/

const LOOPBACK = /^(127\.0\.0\.1|\[::1\]|localhost)$/

export type RedirectProblem =
  | 'must be an absolute address'
  | 'must not have a fragment'
  | 'must not have a user or password'
  | 'must have a host of letters, digits and hyphens'
  | 'must begin with https://, http://127.0.0.1 or the scheme of a program'
  | 'must not have white space, a backslash or control characters'
  | 'is too long'

/** @returns what is wrong with it as an address that a client registers. */
export function redirectProblem(text: string): RedirectProblem | undefined {
  if (text.length > LONGEST) return 'is too long'
  // Browsers read these differently than parsers of other programs do.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text))
    return 'must not have white space, a backslash or control characters'
  const url = urlIn(text)
  if (!url) return 'must be an absolute address'
  if (text.includes('#')) return 'must not have a fragment'
  if (url.username !== '' || url.password !== '' || /^[^/]*:\/\/[^/?]*@/.test(text))
    return 'must not have a user or password'
  if (url.protocol === 'https:') {
    return HOST.test(url.hostname) ? undefined : 'must have a host of letters, digits and hyphens'
  }
  if (isOfMachine(url)) return undefined
  const { protocol } = url
  const isProgram = PROGRAMS.includes(protocol) || protocol.includes('.')
  return isProgram && !DANGEROUS.test(protocol)
    ? undefined
    : 'must begin with https://, http://127.0.0.1 or the scheme of a program'
}

function isOfMachine({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK.test(hostname)
}

/** Whether it leads to a program on the user's machine, and not to a server. */
export function isLocalProgram(text: string): boolean {
  const url = urlIn(text)
  return url !== undefined && url.protocol !== 'https:'
}

/** Whether a client that registered these may use this one. */
export function mayRedirect(registered: readonly string[], wanted: string): boolean {
  if (redirectProblem(wanted) !== undefined) return false
  return registered.some((each) => each === wanted || differInPort(each, wanted))
}

/** The port of a program is chosen when it starts. Everything else must be the same text. */
function differInPort(registered: string, wanted: string): boolean {
  const [one, other] = [urlIn(registered), urlIn(wanted)]
  if (!one || !other || !isOfMachine(one) || !isOfMachine(other)) return false
  return withoutPort(registered) === withoutPort(wanted)
}

const withoutPort = (text: string) =>
  text.replace(/^(http:\/\/(?:\[::1\]|[^/?:[\]]+)):\d{1,5}(?=[/?]|$)/, '$1')

/** Whether the operator lets clients use this host. @param hosts empty: all. */
export function isHostAllowed(hosts: readonly string[], text: string): boolean {
  if (hosts.length === 0) return true
  const { protocol, hostname } = new URL(text)
  return hosts.some((entry) => {
    if (entry.endsWith(':')) return protocol === entry
    if (entry.startsWith('*.'))
      return hostname.endsWith(entry.slice(1)) && hostname.length >= entry.length
    return hostname === entry || (entry === 'localhost' && LOOPBACK.test(hostname))
  })
}

/** What a user is shown: the host, or that it is a program of this machine. @param own origin of this server, whose page it may be. */
export function placeOf(text: string, own: string): string {
  const url = new URL(text)
  if (url.protocol === 'https:' || url.origin === own) return url.host
  return url.protocol === 'http:' ? 'a program on your computer' : `the program for ${url.protocol}`
}
