/** Schemas that combine other schemas: `allOf`, `anyOf`, `oneOf`, `not`, `if`. */
import { addSeen, check, checkPart } from './check.ts'
import {
  attempt,
  fail,
  type Finding,
  isDone,
  listIn,
  type Run,
  type Schema,
  step,
  UNIT,
} from './run.ts'

export function checkForms(run: Run, schema: Schema, value: unknown): void {
  const { allOf, anyOf, oneOf } = schema
  if (allOf !== undefined) for (const form of listIn(run, allOf)) check(run, form, value)
  if (anyOf !== undefined) choose(run, anyOf, value, false)
  if (oneOf !== undefined) choose(run, oneOf, value, true)
  if (schema.not !== undefined && !misfit(run, schema.not, value)) {
    fail(run, 'has a form the schema excludes')
  }
  if (schema.if !== undefined) {
    check(run, (misfit(run, schema.if, value) ? schema.else : schema.then) ?? true, value)
  }
}

/** Why a part of the value does not match the form; `undefined` if it matches. */
export function misfitPart(
  run: Run,
  form: unknown,
  part: unknown,
  key: string | number,
): Finding | undefined {
  const { seen } = run
  run.seen = undefined
  const finding = attempt(run, () => checkPart(run, form, part, key))
  run.seen = seen
  return finding
}

/** Why the value does not match the form. Parts that a failing form has evaluated do not count as seen. */
function misfit(run: Run, form: unknown, value: unknown): Finding | undefined {
  const { seen } = run
  const mine = (run.seen = seen && new Set())
  const finding = attempt(run, () => check(run, form, value))
  run.seen = seen
  if (!finding && mine) addSeen(run, mine, seen)
  return finding
}

function choose(run: Run, forms: unknown, value: unknown, onlyOne: boolean): void {
  if (isDone(run)) return
  const types = new Set<string>()
  let fitting = 0
  let isType = true
  for (const form of listIn(run, forms)) {
    step(run, 4 * UNIT)
    const finding = misfit(run, form, value)
    if (!finding) {
      // anyOf stops at the first match unless `unevaluated…` needs the parts seen by all matches; oneOf at the second.
      if (++fitting > 1 ? onlyOne : !onlyOne && !run.seen) break
    } else if (finding.types && finding.level === run.path.length) types.add(finding.types)
    else isType = false
  }
  if (onlyOne ? fitting === 1 : fitting) return
  // The errors of all forms together are too many to be useful, so only their types are reported.
  const names = [...types].join(' or ')
  const only = fitting ? 'only ' : ''
  if (names && isType && !fitting) fail(run, `must be ${names}`, undefined, names)
  else fail(run, `must have ${only}one of the forms the schema allows`)
}
