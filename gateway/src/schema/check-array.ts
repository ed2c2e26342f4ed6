/**
 * The rules for arrays.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-6.4
 */
import { checkPart } from './check.ts'
import { misfitPart } from './check-forms.ts'
import { checkSize, limitIn } from './check-scalar.ts'
import { areUnique } from './equal.ts'
import { fail, isDone, listIn, type Run, type Schema } from './run.ts'

export function checkArray(run: Run, schema: Schema, value: readonly unknown[]): void {
  const { items, contains, unevaluatedItems: unevaluated } = schema
  const { length } = value
  checkSize(run, schema.minItems, schema.maxItems, length, 'items')
  if (schema.uniqueItems === true && !areUnique(run, value)) fail(run, 'must not have equal items')

  // A tuple in the form of the older drafts is understood in every dialect: authors often name none.
  const isOldTuple = Array.isArray(items)
  const heads = listIn(run, isOldTuple ? items : run.dialect > 2019 ? schema.prefixItems : [])
  const rest = isOldTuple ? schema.additionalItems : items
  const until = rest === undefined ? Math.min(heads.length, length) : length
  for (let index = 0; index < until && !isDone(run); index++) {
    checkPart(run, index < heads.length ? heads[index] : rest, value[index], index)
  }
  if (contains !== undefined) checkContains(run, schema, value)
  if (!run.seen || unevaluated === undefined) return
  for (let index = 0; index < length; index++) {
    if (!run.seen.has(index)) checkPart(run, unevaluated, value[index], index)
  }
}

function checkContains(run: Run, schema: Schema, value: readonly unknown[]): void {
  const { dialect } = run
  const { minContains = 1, maxContains } = dialect > 7 ? schema : {}
  const least = limitIn(run, minContains)
  const most = limitIn(run, maxContains)
  let found = 0
  value.forEach((item, index) => {
    if (misfitPart(run, schema.contains, item, index)) return
    found++
    if (dialect > 2019) run.seen?.add(index)
  })
  const some = least === 1 ? 'an item' : 'at least * items'
  if (found < least) fail(run, `must contain ${some} the schema asks for`, [least])
  if (found > most) fail(run, 'must contain at most * items the schema asks for', [most])
}
