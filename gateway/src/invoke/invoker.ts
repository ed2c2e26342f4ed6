/** The default {@link ToolInvoker}: one read of the catalog, validation, one internal request. */
import type { ToolResult } from 'ftl-contract'
import { ROUNDED } from 'ftl-http'
import {
  type Catalog,
  catalogFor,
  type CatalogTool,
  type ToolRepository,
} from '../catalog/catalog.ts'
import { compareLater, lookupFresh } from '../catalog/lookup.ts'
import { notPinned } from '../catalog/differences.ts'
import type { Scope } from '../scope.ts'
import { TOOL_RESULT, unstructured } from './answer.ts'
import type { CallContext } from './call-context.ts'
import { callComponent, sentTo } from './call-component.ts'
import type { CallEvents, Outcome, Settled } from './outcome.ts'
import { checkedArguments } from './omitted-nulls.ts'
import { inSameJob } from './same-job.ts'
import { type ArgumentValidator, schemaValidator, UnusableSchema } from './argument-validator.ts'

/** A call from any transport. */
export interface ToolCall {
  /** As listed, so with the component's prefix where names clash. */
  name: string
  arguments: Record<string, unknown>
  context: CallContext
  /** The transport's own check of the call against the tool. Returns the reason to refuse. */
  refuse?: (tool: CatalogTool) => string | undefined
  /** @default it is read from the repository */
  catalog?: Catalog | undefined
}

/** Calls tools. */
export interface ToolInvoker {
  /** Never throws because a tool fails. @throws {ConfigurationError} */
  call(scope: Scope, call: ToolCall): Promise<Outcome>
}

export interface InvokerOptions {
  /** @default JSON Schema */
  validator?: ArgumentValidator
}

/** Checks the arguments against the published schema, then sends one internal request. */
export function createToolInvoker(
  tools: ToolRepository,
  { validator = schemaValidator }: InvokerOptions = {},
): ToolInvoker {
  return new ComponentInvoker(tools, validator)
}

/** A call that may be sent, with the arguments as the tool receives them. */
interface Accepted {
  tool: CatalogTool
  call: ToolCall
}

/** What the check of a result needs of its call. */
interface Called {
  scope: Scope
  call: ToolCall
  tool: CatalogTool
  /** Whether `tool` was read again for this call. */
  isFresh: boolean
}

const UNKNOWN: Settled = { kind: 'unknown' }

/** Outcomes of calls that were refused before any tool ran. */
const REFUSALS: ReadonlySet<Outcome['kind']> = new Set<Outcome['kind']>([
  'unknown',
  'invalid-arguments',
  'unusable-schema',
  'refused',
  'not-pinned',
])

class ComponentInvoker implements ToolInvoker {
  readonly #tools: ToolRepository
  readonly #validator: ArgumentValidator

  constructor(tools: ToolRepository, validator: ArgumentValidator) {
    this.#tools = tools
    this.#validator = validator
  }

  async call(scope: Scope, call: ToolCall): Promise<Outcome> {
    const catalog = call.catalog ?? (await catalogFor(this.#tools, scope, call.name))
    compareLater(this.#tools, scope, catalog)
    let tool = catalog.tool(call.name)
    let isFresh = false
    // Each attempt is written out: a method that awaits it would cost one more promise in every call.
    let accepted = this.#accepted(scope, tool, call)
    let outcome = 'kind' in accepted ? accepted : await send(scope, accepted)
    if (REFUSALS.has(outcome.kind)) {
      // The stored catalog may be outdated. Nothing has run yet, so the call can be retried with a fresh entry.
      const fresh = await lookupFresh(this.#tools, scope, 'tools', call.name, tool)
      if (JSON.stringify(tool) === JSON.stringify(fresh)) return outcome
      tool = fresh
      isFresh = true
      accepted = this.#accepted(scope, tool, call)
      outcome = 'kind' in accepted ? accepted : await send(scope, accepted)
    }
    if (!tool?.description.outputSchema) return outcome
    return this.#checked({ scope, call, tool, isFresh }, outcome)
  }

  #accepted(scope: Scope, tool: CatalogTool | undefined, call: ToolCall): Settled | Accepted {
    if (!tool) return UNKNOWN
    if (tool.difference) return notPinned(tool.component, tool.difference)
    const reason = call.refuse?.(tool)
    if (reason !== undefined) return { kind: 'refused', reason }
    const { rounded } = scope
    if (rounded !== undefined) {
      return { kind: 'invalid-arguments', errors: [{ path: rounded, message: ROUNDED }] }
    }
    try {
      const { inputSchema } = tool.description
      const checked = checkedArguments(inputSchema, call.arguments, this.#validator)
      if ('errors' in checked) return { kind: 'invalid-arguments', errors: checked.errors }
      const { args } = checked
      return { tool, call: args === call.arguments ? call : { ...call, arguments: args } }
    } catch (error) {
      if (error instanceof UnusableSchema)
        return { kind: 'unusable-schema', message: error.message }
      throw error
    }
  }

  /**
   * The outcome, or a failure when the result does not match the tool's output schema. A result that is passed on from another
   * server only loses its structured part: no one here can mend that server, and its action has happened.
   */
  async #checked(called: Called, outcome: Outcome): Promise<Outcome> {
    if (outcome.kind === 'job') return outcome
    if (outcome.kind !== 'stream') return this.#checkedResult(called, outcome)
    return { kind: 'stream', events: this.#checkedEvents(called, outcome.events) }
  }

  async *#checkedEvents(called: Called, events: CallEvents): CallEvents {
    return this.#checkedResult(called, yield* events)
  }

  async #checkedResult(called: Called, settled: Settled): Promise<Settled> {
    if (settled.kind !== 'result') return settled
    const { scope, call, tool, isFresh } = called
    let message = this.#outputProblem(tool, settled.result)
    if (message !== undefined && !isFresh) {
      // The stored output schema may be outdated, too.
      const fresh = await lookupFresh(this.#tools, scope, 'tools', call.name, tool)
      message = fresh && this.#outputProblem(fresh, settled.result)
    }
    if (message === undefined) return settled
    if (!tool.relays) return { kind: 'tool-failed', message }
    // What it promises holds for results only, and official clients throw for an error of another shape.
    if (settled.result.isError) return { kind: 'result', result: unstructured(settled.result) }
    return { kind: 'result', result: unstructured(settled.result, message), isUnstructured: true }
  }

  #outputProblem({ description, relays }: CatalogTool, result: ToolResult): string | undefined {
    const { outputSchema } = description
    const { structuredContent, isError } = result
    if (!outputSchema || (isError && !(relays && structuredContent !== undefined))) return undefined
    if (structuredContent === undefined) return brokenSchema('', 'is missing')
    try {
      const [error] = this.#validator.validate(outputSchema, structuredContent, 'outputSchema')
      return error && brokenSchema(error.path && `.${error.path}`, error.message)
    } catch (error) {
      if (error instanceof UnusableSchema) return relays ? undefined : error.message
      throw error
    }
  }
}

function send(scope: Scope, { tool, call }: Accepted): Promise<Outcome> {
  return scope.hooks.send(scope, tool, call, (sent) => {
    const toComponent = () => callComponent(scope, sentTo(tool, sent, TOOL_RESULT))
    return inSameJob(scope, tool, sent, toComponent) ?? toComponent()
  })
}

function brokenSchema(path: string, problem: string): string {
  return `The tool's result does not match its outputSchema: structuredContent${path} ${problem}.`
}
