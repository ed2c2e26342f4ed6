/** The audit line of an MCP request that reads or changes something, and is not a call of a tool. */
import type { TargetKind } from '../permissions.ts'
import type { ClientRequest } from '../calls/client-request.ts'
import type { MethodCall } from '../feature.ts'
import { auditRequest } from './audit.ts'

/** These read what a component or another caller owns. Lists and handshakes do not. */
const METHODS = /^(resources\/read|prompts\/get|tasks\/(get|update|cancel)|completion\/complete)$/

/** What the policy calls it. */
const KINDS: Readonly<Record<string, TargetKind>> = {
  'resources/read': 'resource',
  'prompts/get': 'prompt',
}

export function isAuditedMethod(method: string): boolean {
  return METHODS.test(method)
}

/** Runs it, and writes how it ended. */
export async function auditMethod<Reply extends object>(
  { scope, request }: Pick<ClientRequest, 'scope' | 'request'>,
  { method, params }: MethodCall,
  run: () => Reply | Promise<Reply>,
): Promise<Reply> {
  const write = (error: unknown) => {
    const message = messageOf(error)
    const target = targetOf(params)
    const kind = KINDS[method]
    const decision = kind && scope.permissions?.decisionOn(kind, target ?? '')
    const isDenied = decision?.effect === 'deny'
    auditRequest(scope, request, {
      action: method,
      target,
      outcome: isDenied ? 'denied' : message === undefined ? 'ok' : 'refused',
      reason: isDenied ? decision.reason : message,
      rule: decision?.rule,
    })
  }
  try {
    const reply = await run()
    write('answer' in reply ? (reply.answer as { error?: unknown }).error : undefined)
    return reply
  } catch (error) {
    write(error)
    throw error
  }
}

function targetOf({ uri, name, taskId, ref }: MethodCall['params']): string | undefined {
  const { uri: template, name: prompt } = (ref ?? {}) as { uri?: unknown; name?: unknown }
  const target = [uri, name, taskId, template, prompt].find((value) => typeof value === 'string')
  return target
}

function messageOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { message } = error as { message?: unknown }
  return typeof message === 'string' ? message : 'It failed.'
}
