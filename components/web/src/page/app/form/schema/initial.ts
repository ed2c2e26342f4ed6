/** What a form begins with: defaults, and what has only one possible value. */
import { fits } from './resolve.ts'
import { shapeOf } from './shape.ts'
import { isObject, type Json, own, withProperty } from './values.ts'

/** Objects in objects that are filled at once; deeper ones when they are opened. */
const DEEPEST = 8

/** @param given is kept; what is missing is added. */
export function initial(
  schema: unknown,
  root: Json,
  { given, required, depth = 0 }: { given?: unknown; required: boolean; depth?: number },
): unknown {
  const shape = shapeOf(schema, root, '', given)
  if (given === null) return given
  if (shape.kind === 'object') {
    const start = given ?? shape.standard
    if (start !== undefined && !isObject(start)) return start
    if (start === undefined && !required) return undefined
    if (depth > DEEPEST) return start ?? {}
    let value: Json = isObject(start) ? start : {}
    for (const { name, schema: inner, required: isNeeded } of shape.fields) {
      const made = initial(inner, root, {
        given: own(value, name),
        required: isNeeded,
        depth: depth + 1,
      })
      if (made !== undefined) value = withProperty(value, name, made)
    }
    return value
  }
  if (given !== undefined) return given
  if (shape.standard !== undefined) return shape.standard
  if (!required) return undefined
  switch (shape.kind) {
    case 'const':
      return shape.value
    case 'choice':
      return shape.options.length === 1 ? shape.options[0]?.value : undefined
    case 'flag':
      return false
    case 'checks':
    case 'tags':
      return []
    case 'list':
      return shape.heads.map(
        (head) => initial(head, root, { required: true, depth: depth + 1 }) ?? null,
      )
    default:
      return undefined
  }
}

/** Which of several forms a value has; the first one that it fits, or that its parts come closest to. */
export function formOf(forms: readonly { schema: unknown }[], value: unknown, root: Json): number {
  if (value === undefined) return -1
  const fitting = forms.findIndex(({ schema }) => fits(schema, value, root))
  if (fitting >= 0) return fitting
  const scores = forms.map(({ schema }) => closeness(schema, value, root))
  const best = Math.max(...scores)
  return best > 0 ? scores.indexOf(best) : -1
}

function closeness(schema: unknown, value: unknown, root: Json): number {
  const shape = shapeOf(schema, root, '', value)
  if (shape.kind === 'object' && isObject(value)) {
    const points = shape.fields.map(({ name, schema: inner }): number => {
      if (!Object.hasOwn(value, name)) return 0
      const { kind } = shapeOf(inner, root, '')
      // A value that tells the forms apart counts for more than all others.
      return kind === 'const' ? (fits(inner, value[name], root) ? 100 : -100) : 1
    })
    return 1 + points.reduce((sum, point) => sum + point, 0)
  }
  const isAlike =
    shape.kind === 'list' || shape.kind === 'tags' || shape.kind === 'checks'
      ? Array.isArray(value)
      : shape.kind === 'text'
        ? typeof value === 'string'
        : shape.kind === 'number'
          ? typeof value === 'number'
          : shape.kind === 'flag' && typeof value === 'boolean'
  return isAlike ? 1 : 0
}
