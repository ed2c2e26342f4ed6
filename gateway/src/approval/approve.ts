/**
 * Calls for which the policy says `ask`: each needs the approval of a person, which is valid for one call.
 *
 * A client that can show a form is asked during the call. Any other gets a token with the refusal, and confirms the call
 * by sending it again with the token.
 */
import { isoTime } from '../iso-time.ts'
import { isObject } from 'ftl-contract'
import type { CatalogTool } from '../catalog/catalog.ts'
import { APPROVAL_KEY } from '../invoke/approval-key.ts'
import type { CallContext } from '../invoke/call-context.ts'
import type { ToolCall } from '../invoke/invoker.ts'
import type { CallEvents, Outcome, Settled } from '../invoke/outcome.ts'
import { logError } from '../log.ts'
import type { Scope } from '../scope.ts'
import { createToken, findToken } from './confirmation-token.ts'
import { approvalQuestion, canBeAsked } from '../invoke/approval-question.ts'
import { useOnce } from './used-approvals.ts'

/** Sender of the state of a question. No component can have this name. */
const GATEWAY = 'ftl:approval'

type Send = (call: ToolCall) => Promise<Outcome>

/** Sends the call if it is approved; otherwise asks for the approval. */
export async function callWithApproval(
  scope: Scope,
  tool: CatalogTool,
  call: ToolCall,
  send: Send,
): Promise<Outcome> {
  const { context } = call
  const { requestState: state, approval } = context
  if (state?.of === GATEWAY) return byAnswer(scope, tool, call, send)
  if (state?.approved !== undefined) {
    // The component asks something itself, after the call was approved: the state proves it.
    const used = await use(scope, tool, state.approved, expiryOf(scope))
    return used ?? continued(scope, await send(call))
  }
  if (approval !== undefined) return byToken(scope, tool, call, send, approval)
  if (canBeAsked(context.capabilities)) return question(scope, tool, call)
  const { token, expires } = await createToken(scope, confirmed(tool, call))
  return {
    kind: 'needs-approval',
    message: `The tool "${tool.name}" runs only after a person has approved this call.`,
    approval: {
      token,
      expiresAt: isoTime(expires),
      component: tool.component,
    },
  }
}

const confirmed = ({ component, description }: CatalogTool, call: ToolCall) => ({
  component,
  tool: description.name,
  arguments: call.arguments,
})

/** Until then a state that is sealed now is valid. */
const expiryOf = ({ platform, settings }: Scope) => platform.now() + settings.requestStateTtlMs

function question(scope: Scope, tool: CatalogTool, call: ToolCall): Settled {
  const { component, description } = tool
  const state = [scope.platform.randomUUID(), component, description.name]
  return {
    kind: 'input-required',
    asks: {
      resultType: 'input_required',
      inputRequests: { [APPROVAL_KEY]: approvalQuestion(tool, call.arguments) },
      requestState: JSON.stringify(state),
    },
    component: GATEWAY,
  }
}

/** The seal of the state holds for the caller, the name and the arguments; here it is compared with the tool itself. */
async function byAnswer(
  scope: Scope,
  tool: CatalogTool,
  call: ToolCall,
  send: Send,
): Promise<Outcome> {
  const { requestState, inputResponses } = call.context
  const [id = '', component, name] = JSON.parse(requestState?.text ?? '[]') as string[]
  if (component !== tool.component || name !== tool.description.name) {
    return refused(tool, 'the approval was given for a tool of another component')
  }
  const answer = inputResponses?.[APPROVAL_KEY]
  const action = isObject(answer) ? answer.action : undefined
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') {
    return question(scope, tool, call)
  }
  const used = await use(scope, tool, id, expiryOf(scope))
  if (used) return used
  if (action === 'decline') return refused(tool, 'it was declined')
  if (action === 'cancel') return refused(tool, 'the question was cancelled')
  return continued(scope, await send(approvedCall(call)))
}

async function byToken(
  scope: Scope,
  tool: CatalogTool,
  call: ToolCall,
  send: Send,
  tokens: string,
): Promise<Outcome> {
  const found = await findToken(scope, confirmed(tool, call), tokens)
  if (!found) {
    const reason =
      'the approval was issued for another call: other arguments, another tool or another caller'
    return refused(tool, reason)
  }
  if (found.expires <= scope.platform.now()) return refused(tool, 'the approval has expired')
  const used = await use(scope, tool, found.id, found.expires)
  return used ?? continued(scope, await send(call))
}

/** The component gets nothing of the approval: for it, this is the first call. */
function approvedCall(call: ToolCall): ToolCall {
  const { requestState: _, inputResponses: __, ...context }: CallContext = call.context
  return { ...call, context }
}

/** @returns the refusal of a call whose approval was used before, or cannot be recorded. */
async function use(
  scope: Scope,
  tool: CatalogTool,
  id: string,
  expires: number,
): Promise<Settled | undefined> {
  try {
    if (await useOnce(scope, id, expires)) return undefined
    return refused(tool, 'the approval was used before, and is valid for one call')
  } catch (error) {
    logError(scope, 'approval not recorded', error)
    return refused(tool, 'the gateway cannot record the approval')
  }
}

function refused({ name }: CatalogTool, reason: string): Settled<never> {
  return { kind: 'not-approved', message: `The call of "${name}" was not approved: ${reason}.` }
}

/** A question of the component itself carries the approval on to the repeated call. */
function continued(scope: Scope, outcome: Outcome): Outcome {
  if (outcome.kind === 'stream')
    return { kind: 'stream', events: continuedEvents(scope, outcome.events) }
  return outcome.kind === 'job' ? outcome : withApproval(scope, outcome)
}

async function* continuedEvents(scope: Scope, events: CallEvents): CallEvents {
  return withApproval(scope, yield* events)
}

function withApproval(scope: Scope, settled: Settled): Settled {
  if (settled.kind !== 'input-required') return settled
  return { ...settled, approved: scope.platform.randomUUID() }
}
