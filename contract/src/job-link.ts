/**
 * Links to the files and the stream of an owned job: `?link=…` behind `/outputs/{file}`, `/jobs/{id}` and the bridge's
 * `/ws/stream/{id}`. The gateway makes and checks them; the bridge passes them on.
 */

/** Name of the link in the query of an address. */
export const LINK_PARAMETER = 'link'

const FORM = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/

/** When it expires, in milliseconds since the epoch, and its seal in base64url; `undefined` for what is not a link. */
export function parseJobLink(text: string): { expires: number; mac: string } | undefined {
  const [, expires, mac] = FORM.exec(text) ?? []
  if (expires === undefined || mac === undefined) return undefined
  return { expires: parseInt(expires, 36), mac }
}

/** The link in the query of an address; `undefined` if it is missing or malformed. */
export function jobLinkIn(search: string): string | undefined {
  const text = search === '' ? null : new URLSearchParams(search).get(LINK_PARAMETER)
  return text !== null && parseJobLink(text) ? text : undefined
}

/** The query of an address with this link. */
export function linkQuery(link: string | undefined): string {
  return link === undefined ? '' : `?${LINK_PARAMETER}=${link}`
}
