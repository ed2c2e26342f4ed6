/** Names of tools and arguments that every client and model provider takes. */
import { fnv1a } from 'ftl-contract'

/**
 * Characters of a tool's name. Providers allow 64, and clients put the name of the server before it: `mcp__gateway__`.
 */
const LONGEST_TOOL = 50
/** Anthropic refuses requests with longer names of arguments, and with other characters in them. */
const LONGEST_ARGUMENT = 64

export interface Named {
  operationId?: string | undefined
  /** In lower case. */
  method: string
  path: string
}

/** Names so far, each of which is given once. */
export class TakenNames extends Set<string> {
  readonly #counts = new Map<string, number>()

  /**
   * The first free name of a row, which is not searched from its beginning again.
   *
   * @param row what the names of the row have in common.
   */
  nextOf(row: string, nameFor: (count: number) => string): string {
    let count = this.#counts.get(row) ?? 2
    while (this.has(nameFor(count))) count++
    this.#counts.set(row, count + 1)
    return nameFor(count)
  }
}

/** @param taken names of tools so far; the new one is added. */
export function toolNameFor(operation: Named, taken: TakenNames): string {
  const base =
    snake(operation.operationId === undefined ? '' : ownPart(operation)) || byPath(operation)
  const candidates = [shortened(base), shortened(`${base}_${operation.method}`)]
  const name =
    candidates.find((each) => !taken.has(each)) ??
    taken.nextOf(base, (count) => shortened(`${base}_${count}`))
  taken.add(name)
  return name
}

/** FastAPI appends path and method: `read_item_items__item_id__get` is `read_item`. */
function ownPart({ operationId = '', method, path }: Named): string {
  const added = `_${path.replace(/^\//, '').replace(/\W/g, '_')}_${method}`
  return operationId.length > added.length && operationId.endsWith(added)
    ? operationId.slice(0, -added.length)
    : operationId
}

function byPath({ method, path }: Named): string {
  return snake(`${method}_${path.replace(/[{}]/g, '')}`) || method
}

/** `repos/listForOrg` becomes `repos_list_for_org`. */
function snake(text: string): string {
  return text
    .slice(0, 500)
    .normalize('NFKD')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .join('_')
    .toLowerCase()
}

/** Whole words, and a digest of the whole name, so that names with the same beginning differ and stay the same. */
function shortened(name: string): string {
  if (name.length <= LONGEST_TOOL) return name
  const room = LONGEST_TOOL - 7
  const cut = name.lastIndexOf('_', room)
  return `${name.slice(0, cut > room / 2 ? cut : room)}_${fnv1a(name).toString(36).padStart(6, '0').slice(-6)}`
}

/**
 * The argument for a parameter or a property of the body.
 *
 * @param place tells two of the same name apart: `id` and `id_query`.
 * @param taken names of arguments so far; the new one is added.
 */
export function argumentNameFor(name: string, place: string, taken: TakenNames): string {
  const words = name
    .slice(0, 500)
    .split(/[^A-Za-z0-9_.-]+/)
    .filter((word) => word !== '')
    .join('_')
    .replace(/^[_.-]+|[_.-]+$/g, '')
  const base = (words === '' ? place : words).slice(0, LONGEST_ARGUMENT - 12)
  const row = `${base}_${place}`
  const found =
    [base, row].find((each) => !taken.has(each)) ?? taken.nextOf(row, (count) => `${row}${count}`)
  taken.add(found)
  return found
}

/** Name of a variable in `spin.toml`: lower case, and single underscores within. */
export function variableName(...words: string[]): string {
  const name = snake(words.join('_'))
  return /^[a-z]/.test(name) ? name : `api_${name}`
}
