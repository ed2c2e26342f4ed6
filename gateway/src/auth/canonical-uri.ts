/** The one spelling of a resource's address. */
import { urlIn } from 'ftl-http'

const ADDRESS = /^(https?):\/\/([^\s/?#@\\]+)([^\s#\\]*)$/i

/**
 * Scheme and host in lower case, no default port, no slash behind a bare host. The path stays as it is written.
 *
 * @returns `undefined` for what is not an http or https address, or has a fragment, a user or a password.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#canonical-server-uri
 */
export function canonicalUri(text: string): string | undefined {
  const [, , , rest = ''] = ADDRESS.exec(text) ?? []
  const url = ADDRESS.test(text) ? urlIn(text) : undefined
  return url && `${url.protocol}//${url.host}${rest === '/' ? '' : rest}`
}
