/** The call of `run_code`: a call of its component, with a capability for the calls of the program. */
import { callTimeoutOf } from '../call-settings.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import { type ComponentCall, callComponent } from '../invoke/call-component.ts'
import type { ToolCall } from '../invoke/invoker.ts'
import type { Outcome } from '../invoke/outcome.ts'
import type { ToolResult } from 'ftl-contract'
import type { Scope } from '../scope.ts'
import { CapabilityTooLong, type Grant, RUN_HEADER, sealGrant } from './capability.ts'
import { RUN_TOOL } from './find-tool.ts'
import { clientOfRun } from './run-client.ts'

/** The variable is read only for tools of this name. */
export function isRun(scope: Scope, { component, description }: CatalogTool): boolean {
  return description.name === RUN_TOOL && component === scope.settings.codeComponent
}

/** @param sent what the component gets of the call. */
export async function startRun(
  scope: Scope,
  call: ToolCall,
  sent: ComponentCall<ToolResult>,
): Promise<Outcome> {
  const timeoutMs = callTimeoutOf(scope)
  const now = scope.platform.now()
  const { maxCalls } = scope.settings.codeLimits
  const grant: Grant = {
    run: scope.platform.randomUUID(),
    startedAt: now,
    deadline: deadlineOf(scope, timeoutMs),
    maxCalls,
    attempt: 0,
    nonce: '',
    caller: scope.caller,
    only: scope.only,
    request: scope.requestId,
    ...clientOfRun(call.context),
  }
  try {
    const headers = { [RUN_HEADER]: await sealGrant(scope, grant) }
    return await callComponent(scope, { ...sent, headers })
  } catch (error) {
    if (error instanceof CapabilityTooLong) return { kind: 'tool-failed', message: error.message }
    throw error
  }
}

/** A run ends with the credential of its caller. */
export function deadlineOf({ platform, caller }: Scope, timeoutMs: number): number {
  return Math.min(platform.now() + timeoutMs, caller?.expires ?? Infinity)
}
