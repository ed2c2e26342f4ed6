/** Says what to write where a definition has the shape of another SDK, or a misspelt key. */
import { isObject } from 'ftl-contract'

interface Shape {
  /** As it is called: `createTool`. */
  maker: string
  /** How it is written. */
  example: string
  /** What may stand beside `metadata`. */
  beside: readonly string[]
  /** Keys of `metadata`. */
  keys: readonly string[]
}

const COMMON = ['name', 'title', 'description', 'icons', '_meta']
const HANDLER = ['metadata', 'handler']

export const TOOL: Shape = {
  maker: 'createTool',
  example: 'createTool({ metadata: { name, description, inputSchema }, handler })',
  beside: [...HANDLER, 'job'],
  keys: [...COMMON, 'version', 'inputSchema', 'outputSchema', 'annotations'],
}

export const PROMPT: Shape = {
  maker: 'createPrompt',
  example: 'createPrompt({ metadata: { name, description, arguments }, handler })',
  beside: HANDLER,
  keys: [...COMMON, 'arguments'],
}

export const RESOURCE: Shape = {
  maker: 'createResource',
  example: 'createResource({ metadata: { uri, name, mimeType }, handler })',
  beside: HANDLER,
  keys: [...COMMON, 'uri', 'uriTemplate', 'mimeType', 'complete', 'annotations', 'size'],
}

/**
 * Other SDKs take name and schema beside the handler, or as arguments of their own; the type checker may never have run.
 *
 * @throws {TypeError}
 */
export function checkShape({ maker, example, beside, keys }: Shape, definition: unknown): void {
  if (!isObject(definition)) throw new TypeError(`${maker} takes one object: ${example}`)
  const { metadata } = definition
  if (!isObject(metadata)) {
    const moved = Object.keys(definition).filter((key) => !beside.includes(key))
    const what = moved.length > 0 ? `move ${listed(moved)} into "metadata"` : 'give it "metadata"'
    throw new TypeError(`${maker}: ${what}: ${example}`)
  }
  for (const key of Object.keys(metadata).filter((each) => !keys.includes(each))) {
    const meant = keys.find((known) => !(known in metadata) && isNear(key, known))
    if (meant === undefined) continue
    throw new TypeError(`${maker}: "metadata" has "${key}": did you mean "${meant}"?`)
  }
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`)
  const last = quoted.pop() ?? ''
  return quoted.length === 0 ? last : `${quoted.join(', ')} and ${last}`
}

/** Whether two mistakes of typing at most lead from one to the other, or only the case of letters differs. */
function isNear(given: string, known: string): boolean {
  if (given.toLowerCase() === known.toLowerCase()) return true
  let row = Array.from({ length: known.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...given].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= known.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letter === known[at - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return (row.at(-1) ?? Infinity) <= (known.length > 5 ? 2 : 1)
}
