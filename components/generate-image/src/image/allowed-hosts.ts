/** The operator's list of hosts that images are taken from. */

/**
 * @param list `images.example, *.cdn.example, files.example:8443`; empty or absent: none. A name without a port means
 *   port 443. `*.cdn.example` does not mean `cdn.example` itself, and there is no entry for "every host".
 */
export function isAllowed({ hostname, port }: URL, list: string | undefined): boolean {
  return (list ?? '')
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .some((entry) => {
      const [, name = '', wanted = ''] = /^([^:]+|\[[^\]]+\])(?::(\d+))?$/.exec(entry) ?? []
      // "443" and no port are the same to a URL.
      if ((wanted === '443' ? '' : wanted) !== port) return false
      return name.startsWith('*.')
        ? name.length > 2 && hostname.endsWith(name.slice(1))
        : name !== '' && hostname === name
    })
}
