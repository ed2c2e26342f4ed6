/** What a plan is, for a person who decides. */
import type { ApiPlan } from 'ftl-contract'
import { hostsOf } from './api-files.ts'
import type { Planned } from './plan.ts'
import { variablesFor } from './security.ts'

/** Characters of JSON that count as a token, as for the gateway's `list_budget_tokens`. */
const PER_TOKEN = 4
/** What clients get in one list by default. */
const LIST_BUDGET = 8_000
/** Reasons and warnings that are printed. */
const MAX_LINES = 12

/** Tokens of the list of these tools. */
function listTokens({ operations, schemas }: ApiPlan): number {
  const shared = new Map(Object.entries(schemas))
  const lengths = operations.map(({ name, title, description, annotations, inputSchema }) => {
    const text = JSON.stringify({ name, title, description, annotations, inputSchema })
    const texts = inputSchema['$defs'] === undefined ? sharedTexts(text, shared) : []
    return texts.reduce((sum, { length }) => sum + length, text.length)
  })
  return Math.ceil(lengths.reduce((sum, length) => sum + length, 0) / PER_TOKEN)
}

/** Schemas that a text refers to, and those that they refer to. */
function sharedTexts(text: string, shared: ReadonlyMap<string, unknown>): string[] {
  const seen = new Set<string>()
  const queue = [text]
  for (const each of queue) {
    for (const [, name = ''] of each.matchAll(/"\$ref":"#\/\$defs\/([\w.-]+)"/g)) {
      if (seen.has(name)) continue
      seen.add(name)
      queue.push(JSON.stringify(shared.get(name) ?? {}))
    }
  }
  return queue.slice(1)
}

/** A line for each tool. */
export function toolLines({ operations }: ApiPlan): string[] {
  const width = Math.max(0, ...operations.map(({ name }) => name.length))
  return operations.map(
    ({ name, method, path }) => `  ${name.padEnd(width)}  ${method.padEnd(6)} ${path}`,
  )
}

/** What was left out, what it reaches and what to set. */
export function summaryLines({ plan, found, skipped, warnings }: Planned): string[] {
  const tokens = listTokens(plan)
  const search =
    tokens > LIST_BUDGET
      ? `: more than ${LIST_BUDGET}, so clients get search in place of the list (docs/many-tools.md)`
      : ''
  const reasons = new Map<string, string[]>()
  for (const { method, path, reason } of skipped) {
    reasons.set(reason, [...(reasons.get(reason) ?? []), `${method} ${path}`])
  }
  const variables = variablesFor(Object.values(plan.credentials), plan.title)
  return [
    `${plan.operations.length} of ${found} operations of ${plan.title} ${plan.version} become tools; their list has about ${tokens} tokens${search}.`,
    ...cut(
      [...reasons].map(([reason, all]) => {
        const more = all.length > 2 ? ` and ${all.length - 2} more` : ''
        return `Left out: ${all.slice(0, 2).join(', ')}${more}: ${reason}`
      }),
      'reasons',
    ),
    ...cut(
      warnings.map((each) => `Left out of a schema: ${each}`),
      'warnings',
    ),
    `It sends requests to ${hostsOf(plan).join(', ')}.`,
    ...[...variables].map(([name, meaning]) => `Variable ${name}: ${meaning}.`),
    ...(variables.size === 0
      ? ['It sends no credentials: the document names none. --auth bearer adds a token.']
      : []),
  ]
}

function cut(lines: string[], what: string): string[] {
  const more = lines.length - MAX_LINES
  return more > 0 ? [...lines.slice(0, MAX_LINES), `and ${more} more ${what}`] : lines
}

/** What differs from the tools before. */
export function changeLines(before: ApiPlan, after: ApiPlan): string[] {
  const old = textsOf(before)
  const now = textsOf(after)
  const named = (what: string, names: string[]) =>
    names.length === 0
      ? []
      : [
          `${what}: ${names.slice(0, MAX_LINES).join(', ')}${names.length > MAX_LINES ? ` and ${names.length - MAX_LINES} more` : ''}`,
        ]
  const lines = [
    ...named(
      'New',
      [...now.keys()].filter((name) => !old.has(name)),
    ),
    ...named(
      'Removed',
      [...old.keys()].filter((name) => !now.has(name)),
    ),
    ...named(
      'Changed',
      [...now]
        .filter(([name, text]) => old.has(name) && old.get(name) !== text)
        .map(([name]) => name),
    ),
  ]
  if (before.server !== after.server)
    lines.unshift(`Server: ${before.server} is now ${after.server}`)
  return lines.length === 0 ? ['No tool has changed.'] : lines
}

/** Of each tool, with the shared schemas that it refers to. */
function textsOf({ operations, schemas }: ApiPlan): Map<string, string> {
  const shared = new Map(Object.entries(schemas))
  return new Map(
    operations.map((each) => {
      const text = JSON.stringify(each)
      const own = each.inputSchema['$defs'] === undefined ? sharedTexts(text, shared) : []
      return [each.name, [text, ...own].join('\n')]
    }),
  )
}
