/** The default {@link ToolInvoker}: one read of the catalog, validation, one internal request. */
import type { ToolResult } from 'ftl-contract'
import type { CatalogTool, ToolRepository } from '../catalog/catalog.ts'
import { lookup, lookupFresh } from '../catalog/lookup.ts'
import type { Scope } from '../scope.ts'
import { TOOL_RESULT } from './answer.ts'
import type { CallContext } from './call-context.ts'
import { callComponent } from './call-component.ts'
import type { CallEvents, Outcome, Settled } from './outcome.ts'
import { type ArgumentValidator, schemaValidator, UnusableSchema } from './validate.ts'

/** A call from any transport. */
export interface ToolCall {
  /** As listed, so with the component's prefix where names clash. */
  name: string
  arguments: Record<string, unknown>
  context: CallContext
  /** The transport's own check of the call against the tool. Returns the reason to refuse. */
  refuse?: (tool: CatalogTool) => string | undefined
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
  return {
    async call(scope, call) {
      const known = lookup(await tools.known(scope), 'tools', call.name) as CatalogTool | undefined
      let fresh: Promise<CatalogTool | undefined> | undefined
      const renewed = () => (fresh ??= lookupFresh(tools, scope, 'tools', call.name, known))

      const first = attempt(known)
      const outcome = first instanceof Promise ? kept(known, await first) : first
      if (outcome instanceof Promise || !isRefusal(outcome)) return outcome
      // The stored catalog may be outdated. Nothing has run yet, so the call can be retried with a fresh entry.
      const now = await renewed()
      return isSame(known, now) ? outcome : kept(now, await attempt(now))

      // Returns a promise only if it has to wait: each promise costs as much as reading a header.
      function attempt(tool: CatalogTool | undefined): Outcome | Promise<Outcome> {
        const refusal = check(validator, tool, call)
        if (!tool || refusal) return refusal ?? { kind: 'unknown' }
        const { component, description, callAt } = tool
        return callComponent(scope, {
          component,
          paths: callAt.map((address) => address.replace('{tool}', description.name)),
          arguments: call.arguments,
          context: call.context,
          expected: TOOL_RESULT,
        })
      }

      /** The answer, or a failure when the result does not match the tool's output schema. */
      function kept(tool: CatalogTool | undefined, outcome: Outcome): Outcome | Promise<Outcome> {
        const { outputSchema } = tool?.description ?? {}
        if (!outputSchema) return outcome
        if (outcome.kind === 'stream') return { kind: 'stream', events: checked(outcome.events) }
        return outcome.kind === 'result' ? checkResult(outcome) : outcome

        async function* checked(events: CallEvents): CallEvents {
          return checkResult(yield* events)
        }

        async function checkResult(settled: Settled): Promise<Settled> {
          if (settled.kind !== 'result') return settled
          if (outputProblem(validator, outputSchema, settled.result) === undefined) return settled
          // The stored output schema may be outdated, too.
          const promised = (await renewed())?.description.outputSchema
          const message = outputProblem(validator, promised, settled.result)
          return message === undefined ? settled : { kind: 'tool-failed', message }
        }
      }
    },
  }
}

const REFUSALS = ['unknown', 'invalid-arguments', 'unusable-schema', 'refused']

/** Whether the call was refused before any tool ran. */
function isRefusal({ kind }: Outcome): boolean {
  return REFUSALS.includes(kind)
}

function isSame(known: CatalogTool | undefined, fresh: CatalogTool | undefined): boolean {
  return JSON.stringify(known) === JSON.stringify(fresh)
}

function check(
  validator: ArgumentValidator,
  tool: CatalogTool | undefined,
  call: ToolCall,
): Settled | undefined {
  if (!tool) return { kind: 'unknown' }
  const reason = call.refuse?.(tool)
  if (reason !== undefined) return { kind: 'refused', reason }
  try {
    const errors = validator.validate(tool.description.inputSchema, call.arguments)
    return errors.length > 0 ? { kind: 'invalid-arguments', errors } : undefined
  } catch (error) {
    if (error instanceof UnusableSchema) return { kind: 'unusable-schema', message: error.message }
    throw error
  }
}

function outputProblem(
  validator: ArgumentValidator,
  schema: CatalogTool['description']['outputSchema'],
  { structuredContent, isError }: ToolResult,
): string | undefined {
  if (!schema || isError) return undefined
  const words = (path: string, problem: string) =>
    `The tool's answer breaks its own outputSchema: structuredContent${path} ${problem}.`
  if (structuredContent === undefined) return words('', 'is missing')
  try {
    const [error] = validator.validate(schema, structuredContent, 'outputSchema')
    return error && words(error.path && `.${error.path}`, error.message)
  } catch (error) {
    if (error instanceof UnusableSchema) return error.message
    throw error
  }
}
