/** Drafts of one name and one value become one field. */
import { fieldName } from './input-words.ts'
import type { Draft, ProposedField } from './proposed.ts'

type Limits = Pick<ProposedField, 'minimum' | 'maximum'>
type Merged = ProposedField & { value?: unknown }

export function merge(drafts: readonly Draft[]): ProposedField[] {
  const merged: Merged[] = []
  const nameOf = new Map<Merged, string>()
  for (const draft of drafts) {
    const same = merged.find((field) => nameOf.get(field) === draft.name && join(field, draft))
    if (same) continue
    const field: Merged = { ...draft, name: freeName(fieldName(draft), draft, merged) }
    merged.push(field)
    nameOf.set(field, draft.name)
  }
  return merged.map(({ value: _, ...field }) => field)
}

/** @returns whether the draft has become a part of the field. */
function join(field: Merged, draft: Draft): boolean {
  if (JSON.stringify(field.value) !== JSON.stringify(draft.value)) return false
  const type = commonType(field, draft)
  if (type === undefined || !isSame(field.enum, draft.enum)) return false
  const limits = { ...atLeast(field, draft), ...atMost(field, draft) }
  const { minimum = -Infinity, maximum = Infinity } = limits
  if (minimum > maximum) return false
  field.type = type
  Object.assign(field, limits)
  if (draft.required) {
    field.required = true
    delete field.default
  }
  if (field.required !== true && 'default' in draft) field.default ??= draft.default
  const most = Math.min(
    field.generator?.options?.max ?? Infinity,
    draft.generator?.options?.max ?? Infinity,
  )
  if (field.generator && most !== Infinity)
    field.generator = { type: 'seed', options: { max: most } }
  field.mapping = [field.mapping, draft.mapping].flat()
  return true
}

/** An integer fits where decimals do. */
function commonType(a: ProposedField, b: Draft): ProposedField['type'] | undefined {
  if (a.type === b.type) return a.type
  const isNumber = [a, b].every(({ type }) => type === 'integer' || type === 'number')
  return isNumber && (a.default === undefined || Number.isInteger(a.default))
    ? 'integer'
    : undefined
}

function atLeast(a: Limits, b: Limits): Limits {
  const most = Math.max(a.minimum ?? -Infinity, b.minimum ?? -Infinity)
  return most === -Infinity ? {} : { minimum: most }
}

function atMost(a: Limits, b: Limits): Limits {
  const least = Math.min(a.maximum ?? Infinity, b.maximum ?? Infinity)
  return least === Infinity ? {} : { maximum: least }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function freeName(name: string, { mapping }: Draft, taken: readonly ProposedField[]): string {
  const isTaken = (other: string) => taken.some((field) => field.name === other)
  if (!isTaken(name)) return name
  const base = `${name}_${mapping.node.replace(/\W/g, '_')}`
  let free = base
  for (let count = 2; isTaken(free); count++) free = `${base}_${count}`
  return free
}
