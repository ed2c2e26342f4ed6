/**
 * Servers echo what they receive, in error messages or in tools that show a request. Secrets of the configuration are
 * removed from their answers before a client or a model can see them.
 */
import type { RemoteServer } from './servers.ts'

const REDACTED = '[redacted]'
/** Characters. Shorter values are not redacted, because they would match in any text. */
const SHORTEST = 8

const known = new WeakMap<object, readonly string[]>()

/** The values of the server's headers and of its URL's query. Each server has them once. */
export function secretsOf(server: Pick<RemoteServer, 'headers' | 'url'>): readonly string[] {
  const before = known.get(server)
  if (before) return before
  const { headers, url } = server
  const query = [...new URL(url).searchParams.values()]
  const found = Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/).slice(1)])
  const secrets = hidden([...found, ...query])
  known.set(server, secrets)
  return secrets
}

/** The forms of values that {@link redact} removes. */
export function hidden(values: readonly string[]): string[] {
  const forms = values.filter((value) => value.length >= SHORTEST).flatMap(formsOf)
  // Longest first: replacing a part would leave the rest of a longer secret.
  return [...new Set(forms)].sort((a, b) => b.length - a.length)
}

/** A secret as it is, escaped for JSON, and encoded for a path or a query. */
function formsOf(value: string): string[] {
  const query = new URLSearchParams({ value }).toString().slice('value='.length)
  return [value, JSON.stringify(value).slice(1, -1), query, query.replaceAll('+', '%20')]
}

/** @param text a message as JSON, or a part of one. */
export function redact(text: string, secrets: readonly string[]): string {
  const clean = replaced(text, secrets)
  // Written out only if there is a secret in it: most messages with escapes have none.
  const hasEscapes = secrets.length > 0 && (clean.includes('\\u00') || clean.includes('\\/'))
  const plain = hasEscapes ? withoutEscapes(clean) : clean
  return secrets.some((secret) => plain.includes(secret)) ? replaced(plain, secrets) : clean
}

/** Of a character that needs none: PHP writes `/` so, Go `&` and `<`, .NET also `+`. In JSON within JSON within JSON, with up to 7 backslashes. */
const ESCAPE = /(?<!\\)\\{1,7}(?:u00([2-7][0-9A-Fa-f])|(\/))/g
/** These end a text of JSON, or begin an escape. */
const NEEDED = ['"', '\\']

function withoutEscapes(text: string): string {
  return text.replace(ESCAPE, (whole, code: string | undefined, slash: string | undefined) => {
    if (code === undefined) return slash ?? whole
    const character = String.fromCharCode(Number.parseInt(code, 16))
    return NEEDED.includes(character) ? whole : character
  })
}

function replaced(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) {
    if (clean.includes(secret)) clean = clean.split(secret).join(REDACTED)
  }
  return clean
}
