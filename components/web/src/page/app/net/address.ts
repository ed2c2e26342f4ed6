/** Addresses that results name: which of them become links. */

/** Why an address is shown as text. `undefined` for one that may be a link. */
export function whyNoLink(url: URL | undefined): string | undefined {
  if (url?.protocol !== 'https:') return 'not a link: only https addresses are'
  if (isPrivate(url.hostname)) return 'not a link: it leads into a private network'
  return undefined
}

const LOCAL_NAME = /(^|\.)(localhost|local|internal|lan|home\.arpa)\.?$/
/** As the URL parser writes them: it reads numbers in every notation. */
const LOCAL_IPV4 =
  /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./
const LOCAL_IPV6 = /^\[(::|f[cd]|fe[89ab])/

/** By its name only: a name of the public DNS can lead anywhere. */
export function isPrivate(hostname: string): boolean {
  if (hostname.startsWith('[')) return LOCAL_IPV6.test(hostname)
  if (/^\d+(\.\d+){3}$/.test(hostname)) return LOCAL_IPV4.test(hostname)
  return !hostname.replace(/\.$/, '').includes('.') || LOCAL_NAME.test(hostname)
}
