/** Arguments that would be sent as something else than the document and the author of the component mean. */
import { type ApiCredential, type ApiOperation, asObject, isObject } from 'ftl-contract'
import { ToolError } from '../tool/errors.ts'
import { pairsOf, type Written } from './styles.ts'

type Arguments = ReadonlyMap<string, unknown>
type Named = Written & { argument: string }

/** An integer above 2^53 was rounded when the request was parsed: the API would act on another object. @throws {ToolError} */
export function refuseInexact({ inputSchema }: Pick<ApiOperation, 'inputSchema'>, args: Arguments) {
  const properties = asObject(inputSchema['properties'])
  for (const [argument, value] of args) {
    if (
      typeof value !== 'number' ||
      Number.isSafeInteger(value) ||
      !Object.hasOwn(properties, argument)
    )
      continue
    const types = [asObject(properties[argument])['type']].flat()
    if (!types.includes('integer')) continue
    const advice = types.includes('string') ? ': write larger ones as a string' : ''
    throw new ToolError(
      `${argument}: must be an integer between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}${advice}`,
    )
  }
}

/**
 * The members of an object may be sent beside the other parameters. There, one could replace a fixed argument or add a
 * credential.
 *
 * @throws {ToolError}
 */
export function refuseTaken(
  { parameters, body }: Pick<ApiOperation, 'parameters' | 'body'>,
  args: Arguments,
  credentials: Readonly<Record<string, ApiCredential>>,
): void {
  for (const place of ['query', 'cookie'] as const) {
    const secret = Object.values(credentials).flatMap((each) =>
      each.in === place ? [each.name] : [],
    )
    refuseAmong(
      parameters.filter((each) => each.in === place),
      args,
      secret,
    )
  }
  if (body?.kind !== 'form') return
  const fields = (body.fields ?? []).flatMap(({ style, explode = true, ...field }) =>
    style === undefined ? [] : [{ ...field, style, explode }],
  )
  refuseAmong(
    fields,
    args,
    (body.fields ?? []).map(({ name }) => name),
  )
}

function refuseAmong(all: readonly Named[], args: Arguments, names: readonly string[]): void {
  for (const written of all) {
    const value = args.get(written.argument)
    if (!isObject(value) || written.style === 'json') continue
    const own = folded(written.name)
    const others = [...names, ...all.map(({ name }) => name)]
      .map(folded)
      .filter((name) => name !== own)
    const taken = new Set(others)
    for (const pair of pairsOf(written, value)) {
      const name = decodeURIComponent(pair.slice(0, pair.indexOf('=')))
      const base = folded(name.split('[', 1)[0] ?? '')
      if (!taken.has(folded(name)) && (base === own || !taken.has(base))) continue
      throw new ToolError(
        `${written.argument}: must not have "${name}", which is the name of another parameter`,
      )
    }
  }
}

/** PHP reads `a.b` as `a_b`, and ASP.NET reads names in any case. */
const folded = (name: string) => name.trim().toLowerCase().replace(/[. ]/g, '_')
