/** The URL of a request. An argument fills its own segment, and cannot lead to another place of the server. */
import type { ApiOperation } from 'ftl-contract'
import { ToolError } from '../tool/errors.ts'
import { pathText } from './styles.ts'

const PLACE = /\{([^{}/]+)\}/g

/**
 * @param server base URL.
 * @param query encoded pairs.
 * @throws {ToolError} for an argument that is empty or would make a segment `.` or `..`: URL parsers remove these.
 */
export function urlOf(
  server: string,
  { path, parameters }: Pick<ApiOperation, 'path' | 'parameters'>,
  args: ReadonlyMap<string, unknown>,
  query: readonly string[],
): string {
  const [template = '', fixed = ''] = (path.split('#', 1)[0] ?? '').split('?')
  const inPath = new Map(
    parameters.flatMap((each) => (each.in === 'path' ? [[each.name, each] as const] : [])),
  )
  const segments = template.split('/').map((segment) => {
    const names: string[] = []
    const filled = segment.replace(PLACE, (whole, name: string) => {
      const parameter = inPath.get(name)
      if (!parameter) return whole
      const { argument } = parameter
      names.push(argument)
      const value = args.get(argument)
      const text = value == null ? '' : pathText(parameter, value)
      if (text === '') throw new ToolError(`${argument}: must not be empty`)
      if (hasDots(text)) throw dots([argument])
      return text
    })
    if (names.length > 0 && /^(\.|%2e){1,2}$/i.test(filled)) throw dots(names)
    return filled
  })
  const all = [...(fixed === '' ? [] : [fixed]), ...query]
  const search = all.length === 0 ? '' : `?${all.join('&')}`
  return `${server.replace(/\/+$/, '')}${segments.join('/')}${search}`
}

/** Between slashes, too: proxies such as nginx decode a path before they choose a place for it. */
const hasDots = (encoded: string) =>
  decodeURIComponent(encoded)
    .split(/[/\\]/)
    .some((part, _, all) => all.length > 1 && /^\.{1,2}$/.test(part))

const dots = (names: readonly string[]) =>
  new ToolError(`${names.join(', ')}: must not be "." or "..", nor have them between slashes`)
