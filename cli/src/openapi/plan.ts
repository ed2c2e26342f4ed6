/** A document as a plan: the tools, what each sends, and what was left out. */
import {
  type ApiChoice,
  type ApiOperation,
  type ApiPlan,
  type JsonSchema,
  soundSchema,
} from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { leftOut, operationsIn } from './choose.ts'
import { operationOf, type Reading } from './operation.ts'
import { type Fields, References, textOf } from './references.ts'
import { withinBudget } from './schema-budget.ts'
import { SchemaCopies } from './schema-copy.ts'
import { credentialsOf, OWN, ownCredential } from './security.ts'
import { absolute, refusedServer, serverOf } from './servers.ts'
import { brief } from './text.ts'

export interface Planned {
  plan: ApiPlan
  /** Operations of the document. */
  found: number
  skipped: { name: string; method: string; path: string; reason: string }[]
  /** What of schemas could not be kept. */
  warnings: string[]
  tags: Map<string, number>
}

export interface PlanInput {
  document: Fields
  /** Address of the document, if relative servers are resolved against it. */
  base?: string
  source: string
  /** Of the component, in kebab-case. */
  component: string
  choice: ApiChoice
}

/** Characters of the schema of a tool: 2,000 tokens. */
const MAX_SCHEMA = 8_000

/** @throws {CommandFailure} for a document that no tool can be made of. */
export function planOf({ document, base, source, component, choice }: PlanInput): Planned {
  const references = new References(document)
  const info = references.fields(document['info'])
  const title = brief(textOf(info['title']) ?? component, 80)
  const all = operationsIn(references, document)
  if (all.length === 0) throw new CommandFailure(`${source}: "paths" has no operations`)
  const server = serverFor(references, document, choice, base)
  const credentials = choice.auth
    ? new Map([[OWN, ownCredential(choice.auth, component)]])
    : credentialsOf(references, document, component)
  const copies = new SchemaCopies(references)
  const reading: Reading = {
    ...{ references, copies, document, credentials, base },
    ...(choice.auth && { security: [[OWN]] }),
    ownServers: choice.server === undefined,
  }
  const operations: ApiOperation[] = []
  const skipped: Planned['skipped'] = []
  const tags = new Map<string, number>()
  for (const found of all) {
    const { name, method, path } = found
    const reason = leftOut(found, choice)
    if (reason === '') continue
    const made = reason ?? operationOf(found, reading)
    if (typeof made === 'string') {
      skipped.push({ name, method: method.toUpperCase(), path, reason: made })
      continue
    }
    operations.push(made)
    for (const tag of found.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1)
  }
  const { sound, shared, warnings } = soundSchemas(operations, copies.shared)
  const used = new Set(sound.flatMap(({ security }) => security.flat()))
  const plan: ApiPlan = {
    format: 1,
    ...{ title, version: brief(textOf(info['version']) ?? '', 40), source, choice, server },
    credentials: Object.fromEntries([...credentials].filter(([name]) => used.has(name))),
    operations: sound.map((each) => ({
      ...each,
      inputSchema: withinBudget(each.inputSchema, shared, MAX_SCHEMA),
    })),
    schemas: {},
  }
  plan.schemas = neededBy(plan.operations, shared)
  return { plan, found: all.length, skipped, warnings, tags }
}

/** @throws {CommandFailure} */
function serverFor(
  references: References,
  document: Fields,
  { server }: ApiChoice,
  base: string | undefined,
): string {
  const found = server === undefined ? serverOf(references, document, base) : absolute(server)
  if (found !== undefined) return found
  const refused = server === undefined ? refusedServer(references, document, base) : undefined
  if (refused !== undefined) {
    throw new CommandFailure(
      `the document names the server ${refused}, which is in your network or application. Give it with --server if its tools may reach it`,
    )
  }
  throw new CommandFailure(
    server === undefined
      ? 'the document names no server with an address: give one with --server https://api.example.com/v1'
      : `--server must be an address of http or https without user and password, and is ${JSON.stringify(server)}`,
  )
}

/** All together, because they refer to the same ones. */
function soundSchemas(
  operations: readonly ApiOperation[],
  shared: ReadonlyMap<string, JsonSchema>,
) {
  const properties = Object.fromEntries(
    operations.map(({ name, inputSchema }) => [name, inputSchema]),
  )
  const { schema, lost } = soundSchema({
    type: 'object',
    properties,
    $defs: Object.fromEntries(shared),
  })
  const inputs = new Map(Object.entries(schema['properties'] as Record<string, JsonSchema>))
  const definitions = new Map(Object.entries(schema['$defs'] as Record<string, JsonSchema>))
  return {
    sound: operations.map((each) => ({
      ...each,
      inputSchema: inputs.get(each.name) ?? each.inputSchema,
    })),
    shared: definitions,
    warnings: [...new Set(lost)],
  }
}

function neededBy(
  operations: readonly ApiOperation[],
  shared: ReadonlyMap<string, JsonSchema>,
): Record<string, JsonSchema> {
  const needed = new Map<string, JsonSchema>()
  // One with schemas of its own has all that it needs.
  const rest: unknown[] = operations.flatMap(({ inputSchema }) =>
    inputSchema['$defs'] === undefined ? [inputSchema] : [],
  )
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, part] of Object.entries(value as Fields)) {
      const name = key === '$ref' && typeof part === 'string' ? part.slice('#/$defs/'.length) : ''
      const definition = shared.get(name)
      if (!definition) rest.push(part)
      else if (!needed.has(name)) {
        needed.set(name, definition)
        rest.push(definition)
      }
    }
  }
  return Object.fromEntries([...needed].sort(([a], [b]) => (a < b ? -1 : 1)))
}
