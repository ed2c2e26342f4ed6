/** How a model gets the rest of a list. */
import type { ApiOperation } from 'ftl-contract'

/** Arguments of the next page, from the header `Link` of RFC 8288: `page=2, per_page=30`. */
export function nextPage(
  header: string | null,
  url: string,
  parameters: ApiOperation['parameters'],
): string | undefined {
  const address = linkOf(header ?? '')
  if (address === undefined || !URL.canParse(address, url)) return undefined
  const query = new URL(address, url).searchParams
  const texts = parameters.flatMap(({ argument, name, in: place }) => {
    const value = place === 'query' ? query.get(name) : null
    return value === null ? [] : [`${argument}=${value}`]
  })
  return texts.length === 0 ? undefined : texts.join(', ')
}

/** Characters of a header that are read. */
const LONGEST = 8_000

function linkOf(header: string): string | undefined {
  for (const part of header.slice(0, LONGEST).split('<').slice(1)) {
    const end = part.indexOf('>')
    if (end >= 0 && /;\s{0,8}rel="?next"?/i.test(part.slice(end))) return part.slice(0, end)
  }
  return undefined
}

/** What to do about a result that was cut. */
export function advice({
  paging,
  parameters,
}: Pick<ApiOperation, 'paging' | 'parameters'>): string {
  if (paging.length > 0) return `Get the others with ${listed(paging)}.`
  const filters = parameters.flatMap((each) => (each.in === 'query' ? [each.argument] : []))
  return filters.length > 0 ? `Ask for less with ${listed(filters.slice(0, 8))}.` : ''
}

const listed = (names: readonly string[]) =>
  names.length === 1 ? `the argument ${names[0]}` : `the arguments ${names.join(', ')}`
