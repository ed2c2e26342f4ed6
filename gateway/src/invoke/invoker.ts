/**
 * The default {@link ToolInvoker}: one read of the catalog, validation, one internal request.
 *
 * @module
 */
import type { CatalogTool, ToolRepository } from '../catalog/catalog.ts'
import type { Scope } from '../scope.ts'
import { callComponent } from './call-component.ts'
import type { Outcome, ToolCall, ToolInvoker } from './outcome.ts'
import { type ArgumentValidator, schemaValidator, UnusableSchema } from './validate.ts'

export interface InvokerOptions {
  /** @default JSON Schema */
  validator?: ArgumentValidator
}

export function createToolInvoker(
  tools: ToolRepository,
  { validator = schemaValidator }: InvokerOptions = {},
): ToolInvoker {
  const attempt = async (
    scope: Scope,
    call: ToolCall,
    tool: CatalogTool | undefined,
  ): Promise<Outcome> => {
    if (!tool) return { kind: 'unknown-tool' }
    const refusal = check(validator, tool, call)
    return refusal ?? callComponent(scope, tool, call)
  }
  return {
    async call(scope, call) {
      const known = await tools.find(scope, call.name)
      const outcome = await attempt(scope, call, known)
      if (!isRefusal(outcome)) return outcome
      // What was known may be old. Nothing has run yet, so the call can be tried again with what is true now.
      const fresh = await tools.refresh(scope, call.name)
      return isSame(known, fresh) ? outcome : attempt(scope, call, fresh)
    },
  }
}

/** The call was turned down before any tool ran. */
function isRefusal({ kind }: Outcome): boolean {
  return kind === 'unknown-tool' || kind === 'invalid-arguments' || kind === 'unusable-schema'
}

function isSame(known: CatalogTool | undefined, fresh: CatalogTool | undefined): boolean {
  return JSON.stringify(known) === JSON.stringify(fresh)
}

function check(
  validator: ArgumentValidator,
  { description }: CatalogTool,
  call: ToolCall,
): Outcome | undefined {
  try {
    const errors = validator.validate(description.inputSchema, call.arguments)
    return errors.length > 0 ? { kind: 'invalid-arguments', errors } : undefined
  } catch (error) {
    if (error instanceof UnusableSchema) return { kind: 'unusable-schema', message: error.message }
    throw error
  }
}
