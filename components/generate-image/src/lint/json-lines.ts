/**
 * JSON with the line of everything in it, and with what `JSON.parse` would swallow: keys that come twice.
 */
import { type JsonNode, JsonTextError, lineAt, parseJsonText, valueAt } from 'ftl-comfyui/workflow'

export interface Located {
  value: unknown
  /** Line of a value by its path, as JSON text of the path: `["nodes",0]`. Lines count from 1. */
  lines: Map<string, number>
  /** Paths of keys that come a second time in their object. */
  repeated: Path[]
}

/** The text is not JSON. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
  readonly line: number
  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

type Path = (string | number)[]

/** @throws {JsonSyntaxError} */
export function parseLocated(text: string): Located {
  const root = parse(text)
  const located: Located = {
    value: valueAt(text, root),
    lines: new Map(),
    repeated: [],
  }
  const visit = (node: JsonNode, path: Path): void => {
    located.lines.set(JSON.stringify(path), lineAt(text, node.start))
    if (node.kind === 'list') node.items.forEach((item, index) => visit(item, [...path, index]))
    if (node.kind !== 'object') return
    for (const { key } of node.repeated) located.repeated.push([...path, key])
    for (const [key, member] of node.members) visit(member, [...path, key])
  }
  visit(root, [])
  return located
}

function parse(text: string): JsonNode {
  try {
    return parseJsonText(text)
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    throw new JsonSyntaxError(error.message, lineAt(text, error.at))
  }
}

/** The line of a path. A missing member has no line, so it gets that of the nearest member above it that exists. */
export function lineOf({ lines }: Located, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length--) {
    const line = lines.get(JSON.stringify(path.slice(0, length)))
    if (line !== undefined) return line
  }
  return 1
}
