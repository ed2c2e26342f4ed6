/** The call of `run_code`: a call of its component, with a capability for the calls of the program. */
import type { ToolResult } from 'ftl-contract'
import { callTimeoutOf } from '../call-settings.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import { type ComponentCall, callComponent } from '../invoke/call-component.ts'
import type { ToolCall } from '../invoke/invoker.ts'
import { noRoom } from '../invoke/no-room.ts'
import type { Outcome } from '../invoke/outcome.ts'
import type { Scope } from '../scope.ts'
import { StoreFull } from '../store-failure.ts'
import { CapabilityTooLong, type Grant, RUN_HEADER, sealGrant } from './capability.ts'
import { RUN_TOOL } from '../catalog/program-tool.ts'
import { RunTooLarge } from './kept-run.ts'
import { readsResult, resultPage } from './result-page.ts'
import { clientOfRun } from './run-client.ts'
import { deadlineOf } from './run-deadline.ts'
import { programCall } from './saved-program.ts'
import { resumeRun, runByToken, startKeptRun } from './start-kept-run.ts'
import { limitsOf } from './run-settings.ts'

/** Whether its call is that of a program. The variable is read only for tools of this name. */
export function isRun(scope: Scope, { component, description }: CatalogTool): boolean {
  return description.name === RUN_TOOL && component === scope.settings.codeComponent
}

/** Whether the call belongs to a run that was approved: it has the token of one that waits, or reads the result of one. */
export async function continuesRun(
  scope: Scope,
  tool: CatalogTool,
  call: ToolCall,
): Promise<boolean> {
  // A saved program may have an argument of this name, and it means something else there.
  const reads = isRun(scope, tool) && readsResult(call)
  return reads || (await runByToken(scope, call)) !== undefined
}

/** @param sent what the component of a saved program gets of the call. */
export async function startSaved(
  scope: Scope,
  call: ToolCall,
  sent: ComponentCall<ToolResult>,
): Promise<Outcome> {
  await begins(sent)
  const resumed = await resumeRun(scope, call)
  if (resumed) return resumed
  const program = await programCall(scope, call, sent)
  return 'outcome' in program ? program.outcome : startProgram(scope, call, program.sent)
}

/** @param sent what the component gets of the call. */
export async function startRun(
  scope: Scope,
  call: ToolCall,
  sent: ComponentCall<ToolResult>,
): Promise<Outcome> {
  if (readsResult(call)) return resultPage(scope, call)
  await begins(sent)
  return startProgram(scope, call, sent)
}

/** A run is stored, or goes on, before a component is asked. */
function begins({ component, arguments: args, context }: ComponentCall<ToolResult>) {
  return context.begins?.(component, JSON.stringify(args))
}

async function startProgram(
  scope: Scope,
  call: ToolCall,
  sent: ComponentCall<ToolResult>,
): Promise<Outcome> {
  try {
    const resumed = await resumeRun(scope, call)
    if (resumed) return resumed
    return keepsJournal(scope, call)
      ? await startKeptRun(scope, call, sent)
      : await runOnce(scope, call, sent)
  } catch (error) {
    if (error instanceof CapabilityTooLong || error instanceof RunTooLarge) {
      return { kind: 'tool-failed', message: error.message }
    }
    if (error instanceof StoreFull) return noRoom(error)
    throw error
  }
}

/**
 * A journal costs three or four accesses to the store for each call. So only those runs have one that can be continued:
 * their client follows tasks, or a call may have to wait for an approval.
 */
function keepsJournal(scope: Scope, { context }: ToolCall): boolean {
  // The journal of the program that has called it has its result.
  if (scope.run) return false
  const { journal } = limitsOf(scope.settings)
  if (context.idempotencyKey != null) return true
  if (journal === 'never') return false
  return journal === 'always' || context.tasks === true || scope.permissions?.mayAsk === true
}

/** Without a journal: the run ends with the client's request. */
async function runOnce(
  scope: Scope,
  { context }: ToolCall,
  sent: ComponentCall<ToolResult>,
): Promise<Outcome> {
  const { platform, settings, caller, only, requestId: request } = scope
  const grant: Grant = {
    run: platform.randomUUID(),
    startedAt: platform.now(),
    deadline: deadlineOf(scope, callTimeoutOf(scope)),
    maxCalls: limitsOf(settings).maxCalls,
    attempt: 0,
    nonce: '',
    caller,
    only,
    request,
    ...(scope.run && { nested: true }),
    ...clientOfRun(context),
  }
  const headers = { ...sent.headers, [RUN_HEADER]: await sealGrant(scope, grant) }
  return callComponent(scope, { ...sent, headers })
}
