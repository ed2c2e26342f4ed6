/** What a component cannot send: its answer is JSON, and JSON leaves out or changes some values without a word. */

/** Thrown by a call whose answer would reach the client as another one. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
}

/** @throws {NotJson} naming the first such value. */
export function assertPlainJson(value: unknown, path = 'the answer', above: object[] = []): void {
  const problem = problemOf(value, above)
  if (problem !== undefined) throw new NotJson(`${path} ${problem}`)
  if (typeof value !== 'object' || value === null || hasToJson(value)) return
  const deeper = [...above, value]
  for (const [key, item] of Object.entries(value)) {
    // A property without a value is one that is not there.
    if (item === undefined && !Array.isArray(value)) continue
    assertPlainJson(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, deeper)
  }
}

function problemOf(value: unknown, above: object[]): string | undefined {
  switch (typeof value) {
    case 'undefined':
      return 'is undefined: it would arrive as null'
    case 'number':
      return Number.isFinite(value) ? undefined : `is ${value}: it would arrive as null`
    case 'bigint':
      return 'is a bigint, which JSON has not: give a number, or text'
    case 'function':
    case 'symbol':
      return `is a ${typeof value}: it would be left out`
    case 'object':
      return value === null ? undefined : objectProblem(value, above)
    default:
      return undefined
  }
}

function objectProblem(value: object, above: object[]): string | undefined {
  if (above.includes(value)) return 'contains itself'
  if (hasToJson(value) || Array.isArray(value)) return undefined
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return 'is bytes, which JSON has not: ToolResponse.image and .resource take bytes, elsewhere give base64'
  }
  if (value instanceof Promise) return 'is a promise: await it'
  if (value instanceof Map || value instanceof Set) {
    const how = value instanceof Map ? 'Object.fromEntries(map)' : '[...set]'
    return `is a ${value instanceof Map ? 'Map' : 'Set'}: it would arrive as {}; give ${how}`
  }
  if (value instanceof Error) return 'is an Error: it would arrive as {}; give its message'
  return undefined
}

function hasToJson(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}
