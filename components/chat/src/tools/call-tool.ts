/** Calls a tool and streams its status. A failure is reported to the model, and never ends the chat. */
import type { ChatStatus } from 'ftl-client/chat'
import { isObject, isString } from 'ftl-contract'
import { parseJson, readText } from 'ftl-http'
import type { ModelCall } from '../model/messages.ts'
import { bodyLines } from '../model/network.ts'
import { calledTool, mayCall, permittedResult } from './finding-tools.ts'
import { followJob } from './follow-job.ts'
import type { Gateway } from './gateway.ts'
import { failedCall, readResult, refusedBy, type ToolEnd } from './tool-end.ts'
import type { ToolList } from './tool-list.ts'

/** The gateway sends a heartbeat every 10 seconds. */
const SILENCE_MS = 60_000
const ERROR_LIMIT = 64 * 1024

export interface CallContext {
  gateway: Gateway
  tools: ToolList
  signal: AbortSignal
  /** A person has approved the call: the token proves it to the gateway. */
  approval?: string | undefined
  /** Resolves when the reader has room for more. */
  onStatus: (status: ChatStatus) => Promise<void>
}

export interface EndedCall {
  call: ModelCall
  /** The tool's name; if no such tool exists, the name the model used. */
  tool: string
  arguments: Record<string, unknown>
  end: ToolEnd
}

export async function callTool(context: CallContext, call: ModelCall): Promise<EndedCall> {
  const { tools, signal } = context
  const name = tools.names.get(call.name)
  const args = argumentsOf(call)
  const ended = (end: ToolEnd): EndedCall => ({
    call,
    end,
    tool: calledTool(name ?? call.name, args),
    arguments: args ?? {},
  })
  if (name === undefined || (args && !mayCall(tools, name, args))) {
    const known = tools.functions.map((tool) => tool.function.name).join(', ')
    const wanted = calledTool(call.name, args)
    const message = `There is no tool "${wanted}". There are: ${known || 'none'}.`
    return ended(failedCall('tool_not_found', message))
  }
  if (!args) {
    const message = 'The arguments are not a JSON object. Call the tool again with one.'
    return ended(failedCall('invalid_json', message))
  }
  try {
    const end = await send(context, call, calledTool(name, args))
    return ended(permittedResult(tools, name, end))
  } catch (error) {
    if (signal.aborted) throw error
    return ended(failedCall('unreachable', 'The tool cannot be reached just now.'))
  }
}

async function send(context: CallContext, call: ModelCall, tool: string): Promise<ToolEnd> {
  const { gateway, signal, approval, onStatus } = context
  const about = { tool, callId: call.id }
  await onStatus({ step: 'tool', message: `Calling ${tool}`, ...about })
  const { id, name, arguments: args } = call
  const body = { id, type: 'function', function: { name, arguments: args } }
  const response = await gateway.post('/invoke', body, {
    prefer: 'respond-async',
    ...(approval !== undefined && { 'ftl-approval': approval }),
  })
  if (!response.ok) {
    const answer = jsonOf(await readText(response, { limit: ERROR_LIMIT, signal }))
    return refusedBy(isObject(answer) ? answer.error : undefined)
  }
  const lines = bodyLines(response, { signal, silenceMs: SILENCE_MS })
  for (let count = 0; ; count++) {
    const { done, value } = await lines.next()
    if (done) return failedCall('tool_failed', 'The tool broke off its answer.')
    const line = jsonOf(value)
    if (!isObject(line)) continue
    const { type, response: end } = line
    if (type === 'error') return refusedBy(line)
    if (type === 'result') {
      const result = readResult(end)
      if (result) return result
      if (isObject(end) && isString(end.id)) return followJob(context, about, end.id)
      return failedCall('tool_failed', 'The tool did not return a valid result.')
    }
    // The first status says that the tool is called; that was sent above.
    if (count > 0 && type === 'status') await onStatus(statusOf(line, about))
  }
}

/** For the model: the person has declined the call. */
export function declinedCall(call: ModelCall, tool = call.name): EndedCall {
  const message = 'The call was declined by the user. Do not call it again unless the user asks.'
  return { call, tool, arguments: {}, end: failedCall('declined', message) }
}

/** Every call needs an answer, otherwise the model's server refuses the conversation. */
export function tooManyCalls(call: ModelCall, most: number): EndedCall {
  const message = `At most ${most} tools can be called at once; call this one again.`
  return { call, tool: call.name, arguments: {}, end: failedCall('too_many_calls', message) }
}

/** Converts the status of a tool or a job to one of the chat. */
export function statusOf(
  { message, progress, total }: Record<string, unknown>,
  about: Pick<ChatStatus, 'tool' | 'callId' | 'jobId'>,
): ChatStatus {
  return {
    step: 'progress',
    message: isString(message) ? message : 'Working',
    ...about,
    ...(typeof progress === 'number' && { progress }),
    ...(typeof total === 'number' && { total }),
  }
}

export function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function argumentsOf({ arguments: text }: ModelCall): Record<string, unknown> | undefined {
  const value = jsonOf(text)
  return isObject(value) ? value : undefined
}
