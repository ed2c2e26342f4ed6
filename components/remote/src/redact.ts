/**
 * Servers repeat what they were sent: in messages of errors, in tools that show a request. What of it was a secret of
 * the configuration is taken out before anybody sees it.
 *
 * @module
 */
import type { RemoteServer } from './servers.ts'

export const REDACTED = '[redacted]'
/** Shorter values are no secrets, and would be found in any text. */
const SHORTEST = 8

/** Values of its headers, and what is in its address besides the path. */
export function secretsOf({ headers, url }: Pick<RemoteServer, 'headers' | 'url'>): string[] {
  const query = [...new URL(url).searchParams.values()]
  const found = Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/).slice(1)])
  const secrets = [...found, ...query].filter((value) => value.length >= SHORTEST)
  // As it stands inside JSON, too. Longest first: a part must not be taken out of the middle of the whole.
  const forms = secrets.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
  return [...new Set(forms)].sort((a, b) => b.length - a.length)
}

export function redact(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) {
    if (clean.includes(secret)) clean = clean.split(secret).join(REDACTED)
  }
  return clean
}
