/** Requests prompts, resources and completions from the component that publishes them. */
import { isArrayOf, isObject, isString, type PromptResult, type ResourceResult } from 'ftl-contract'
import type { Catalog, Entry, ToolRepository } from '../catalog/catalog.ts'
import { compareLater, lookup, lookupFresh, type Wanted } from '../catalog/lookup.ts'
import { notPinned } from '../catalog/differences.ts'
import type { Scope } from '../scope.ts'
import { type Expected, noResult } from './answer.ts'
import type { CallContext } from './call-context.ts'
import { callComponent } from './call-component.ts'
import type { Outcome } from './outcome.ts'
import type { ArgumentError } from './argument-validator.ts'

/** Possible values for an argument of a prompt or a resource template. */
export interface Completion {
  completion: { values: string[]; total?: number; hasMore?: boolean }
}

export interface CompletionRequest {
  of: { prompt: string } | { resource: string }
  argument: { name: string; value: string }
  /** Arguments that are already known. */
  context?: Record<string, unknown>
}

/** Never throws because a component fails. @throws {ConfigurationError} */
export interface FeatureReader {
  prompt(
    scope: Scope,
    name: string,
    args: Record<string, unknown>,
    context: CallContext,
  ): Promise<Outcome<PromptResult>>
  /** @param of the only component that is asked. @default any */
  resource(
    scope: Scope,
    uri: string,
    context: CallContext,
    of?: string,
  ): Promise<Outcome<ResourceResult>>
  complete(
    scope: Scope,
    request: CompletionRequest,
    context: CallContext,
  ): Promise<Outcome<Completion>>
}

/** Outcomes after which the entry is read again: nothing has run. */
const REFUSALS: ReadonlySet<Outcome['kind']> = new Set<Outcome['kind']>([
  'unknown',
  'invalid-arguments',
  'not-pinned',
])

const NEVER_APPROVED: Outcome<never> = {
  kind: 'not-approved',
  message: 'The policy requires an approval, and only calls of tools can be approved.',
}

/**
 * Maximum values of one completion.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
const COMPLETION_LIMIT = 100

/** Maximum characters of a uri, so that proxies accept the URL of the request. */
const URI_LIMIT = 8000

export function createFeatureReader(tools: ToolRepository): FeatureReader {
  /** Calls `ask` with the stored entry, and again with a fresh one if it is missing or refused. */
  async function withEntry<R>(
    scope: Scope,
    wanted: Wanted,
    name: string,
    ask: (entry: Entry) => Promise<Outcome<R>>,
  ): Promise<Outcome<R>> {
    const catalog = await tools.known(scope)
    compareLater(tools, scope, catalog)
    const known = lookup(catalog, wanted, name)
    const outcome = known && (await askPinned(known))
    if (outcome && !REFUSALS.has(outcome.kind)) return outcome
    const fresh = await lookupFresh(tools, scope, wanted, name, known)
    if (!fresh) return { kind: 'unknown' }
    const same = outcome && JSON.stringify(known) === JSON.stringify(fresh)
    return same ? outcome : askPinned(fresh)

    async function askPinned(entry: Entry): Promise<Outcome<R>> {
      const { component, difference } = entry
      if (difference) return notPinned(component, difference)
      const kind = wanted === 'prompts' ? 'prompt' : 'resource'
      const needsApproval = scope.permissions?.decisionOn(kind, name)?.effect === 'ask'
      return needsApproval ? NEVER_APPROVED : ask(entry)
    }
  }

  return {
    prompt: (scope, name, args, context) =>
      withEntry(scope, 'prompts', name, async ({ component, description }) => {
        const errors = promptErrors(description, args)
        if (errors.length > 0) return { kind: 'invalid-arguments', errors }
        const paths = [`/prompts/${description.name}`]
        return callComponent(scope, {
          component,
          paths,
          arguments: args,
          context,
          expected: PROMPT,
        })
      }),

    async resource(scope, uri, context, of) {
      if (uri.length > URI_LIMIT) return { kind: 'unknown' }
      return withEntry<ResourceResult>(scope, 'resources', uri, async ({ component }) => {
        if (of !== undefined && of !== component) return { kind: 'unknown' }
        const paths = [`/resources?uri=${encodeURIComponent(uri)}`]
        return callComponent(scope, { component, paths, context, expected: RESOURCE })
      })
    },

    complete(scope, { of, argument, context: known }, context) {
      const [wanted, name]: [Wanted, string] =
        'prompt' in of ? ['prompts', of.prompt] : ['resources', of.resource]
      return withEntry(scope, wanted, name, async ({ component, description }) => {
        const ref =
          wanted === 'prompts'
            ? { type: 'ref/prompt', name: description.name }
            : { type: 'ref/resource', uri: name }
        const args = { ref, argument, context: known && { arguments: known } }
        const call = { component, paths: ['/complete'], arguments: args, context }
        const outcome = await callComponent(scope, { ...call, expected: COMPLETION })
        if (outcome.kind === 'unknown') return NOTHING
        // A completion must not ask the user for input.
        if (outcome.kind === 'input-required') return noResult(COMPLETION)
        return outcome.kind === 'result' ? shortened(outcome.result) : outcome
      })
    },
  }
}

/** The result for a component without completions. */
const NOTHING: Outcome<Completion> = { kind: 'result', result: { completion: { values: [] } } }

function shortened({ completion }: Completion): Outcome<Completion> {
  const { values } = completion
  if (values.length <= COMPLETION_LIMIT) return { kind: 'result', result: { completion } }
  const rest = { total: completion.total ?? values.length, hasMore: true }
  const first = values.slice(0, COMPLETION_LIMIT)
  return { kind: 'result', result: { completion: { values: first, ...rest } } }
}

function promptErrors(
  { arguments: known = [] }: Catalog['prompts'][number]['description'],
  args: Record<string, unknown>,
): ArgumentError[] {
  const missing = known.filter(({ name, required }) => required && !Object.hasOwn(args, name))
  const odd = Object.keys(args).filter((name) => !isString(args[name]))
  return [
    ...missing.map(({ name }) => ({ path: name, message: 'is required' })),
    ...odd.map((path) => ({ path, message: 'must be string' })),
  ]
}

const PROMPT: Expected<PromptResult> = {
  what: 'prompt',
  is: (value): value is PromptResult =>
    isObject(value) &&
    isArrayOf(
      value.messages,
      (item) =>
        isObject(item) &&
        (item.role === 'user' || item.role === 'assistant') &&
        isObject(item.content),
    ),
}

const RESOURCE: Expected<ResourceResult> = {
  what: 'resource',
  is: (value): value is ResourceResult =>
    isObject(value) &&
    isArrayOf(
      value.contents,
      (item) =>
        isObject(item) && isString(item.uri) && (isString(item.text) || isString(item.blob)),
    ) &&
    value.contents.length > 0,
}

const COMPLETION: Expected<Completion> = {
  what: 'completion',
  is: (value): value is Completion =>
    isObject(value) && isObject(value.completion) && isArrayOf(value.completion.values, isString),
}
