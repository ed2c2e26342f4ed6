/** What a tool may reach, in words: the gateway has it from the manifest, not from the tool. */

const WORDS: readonly (readonly [list: string, one: string, many: string])[] = [
  ['components', 'component', 'components'],
  ['stores', 'store', 'stores'],
  ['files', 'files', 'files'],
  ['variables', 'variable', 'variables'],
  ['environment', 'environment', 'environment'],
]

/** Names of a list that are shown. */
const SHOWN = 8

/** @returns `''` where the gateway does not say. */
export function reachLine(reach: Readonly<Record<string, unknown>> | undefined): string {
  if (!reach) return ''
  const hosts = names(reach['hosts'])
  const others = WORDS.flatMap(([list, one, many]) => {
    const found = names(reach[list])
    return found.length > 0 ? [`${found.length === 1 ? one : many} ${shown(found)}`] : []
  })
  const network = hosts.length > 0 ? shown(hosts) : 'no network'
  const lacking = ['stores', 'files'].filter((list) => names(reach[list]).length === 0)
  const parts = [network, ...others, ...lacking.map((list) => `no ${list}`)]
  return `May reach: ${parts.join('; ')}`
}

function names(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []
}

/** `${name}` is the address in a variable; a scheme says nothing that a reader needs. */
function shown(list: readonly string[]): string {
  const texts = list.map((name) =>
    name.replace(/^https?:\/\//, '').replace(/\$\{(\w+)\}/g, 'the host in $1'),
  )
  const rest = texts.length - SHOWN
  return texts.slice(0, SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
