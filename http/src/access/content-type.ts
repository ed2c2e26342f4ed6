/**
 * Which bodies are JSON.
 *
 * A page of any site may send `text/plain` or a form without asking first; JSON makes the browser send a preflight.
 *
 * @see https://fetch.spec.whatwg.org/#cors-safelisted-request-header
 */

const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

/** Whether a body may be read as JSON: its type says so, or it has none, as a `Blob` without a type has. */
export function contentTypeOk(headers: Headers): boolean {
  const type = headers.get('content-type')
  return type === null || type === 'application/json' || JSON_TYPE.test(type.trim())
}
