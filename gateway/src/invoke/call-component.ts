/**
 * The internal request of a tool call: one, as long as the component has the address it is expected to have.
 *
 * @module
 */
import { BodyTooLarge, readText } from '../body.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import { componentUrl } from '../component-url.ts'
import { DeadlineExceeded, withDeadline } from '../deadline.ts'
import type { Scope } from '../scope.ts'
import { readAnswer } from './answer.ts'
import { callHeaders } from './call-headers.ts'
import type { Outcome, ToolCall } from './outcome.ts'

/** Bytes of a tool's answer: enough for an image of some megapixels in base64. */
export const ANSWER_LIMIT = 8 * 1024 * 1024

/** Never throws for what the component does. */
export async function callComponent(
  scope: Scope,
  tool: CatalogTool,
  call: ToolCall,
): Promise<Outcome> {
  const timeoutMs = scope.settings.callTimeoutMs
  const init = {
    method: 'POST',
    headers: callHeaders(scope, { deadlineMs: timeoutMs, trace: call.trace }),
    body: JSON.stringify(call.arguments),
  }
  try {
    return await withDeadline(timeoutMs, async (signal) => {
      let outcome: Outcome = { kind: 'unknown-tool' }
      for (const address of tool.callAt) {
        const url = componentUrl(tool.component, address.replace('{tool}', tool.description.name))
        const response = await scope.platform.fetch(url, { ...init, signal })
        outcome = await toOutcome(response, signal)
        // An address the component does not have: no tool has run.
        if (outcome.kind !== 'unknown-tool') break
      }
      return outcome
    })
  } catch (error) {
    return failureOf(tool, error)
  }
}

async function toOutcome(response: Response, signal: AbortSignal): Promise<Outcome> {
  // A component that crashes answers 500 with a body that may never end.
  if (response.status >= 500) {
    void response.body?.cancel().catch(() => undefined)
    return readAnswer(response, '')
  }
  try {
    return readAnswer(response, await readText(response, { limit: ANSWER_LIMIT, signal }))
  } catch (error) {
    const fault = error instanceof BodyTooLarge ? `has ${error.message}` : 'broke off'
    return { kind: 'tool-failed', message: `The tool's answer ${fault}.` }
  }
}

function failureOf({ component, description }: CatalogTool, error: unknown): Outcome {
  if (error instanceof DeadlineExceeded) {
    return { kind: 'unreachable', message: `The tool gave ${error.message}.` }
  }
  // The log keeps what the client must not see.
  console.error(`${component}/${description.name}:`, error instanceof Error ? error.message : error)
  return { kind: 'unreachable', message: `The component "${component}" cannot be reached.` }
}
