/** What an answer has done: its calls of tools, with their arguments, results and times. */
import type { ChatLine, ChatResponse } from 'ftl-client/chat'
import { asArray, asRecord, count, text } from '../net/api.ts'
import type { Chat } from './tab-conversations.ts'

export interface Step {
  tool: string
  arguments: Record<string, unknown>
  /** As the model received it. */
  result?: string
  isError: boolean
  /** Milliseconds. */
  ms?: number
}

export interface Work {
  steps: Step[]
  /** Milliseconds of the whole answer. */
  ms: number
}

interface Clock {
  startedAt: number
  calls: Map<string, { from: number; to?: number }>
}

/** Of answers that arrive. */
const clocks = new WeakMap<Chat, Clock>()

export function startClock(chat: Chat): void {
  clocks.set(chat, { startedAt: Date.now(), calls: new Map() })
}

export function noteStep(chat: Chat, line: ChatLine): void {
  if (line.type !== 'status' || line.callId === undefined) return
  const { calls } = clocks.get(chat) ?? {}
  const call = calls?.get(line.callId) ?? { from: Date.now() }
  if (line.done) call.to = Date.now()
  calls?.set(line.callId, call)
}

/** Of the answer that has just ended. */
export function workOf(chat: Chat, toolCalls: ChatResponse['toolCalls'] = []): Work {
  const { startedAt = Date.now(), calls } = clocks.get(chat) ?? {}
  const answer = chat.getState().messages.at(-1)
  const steps = (answer?.calls ?? []).map(({ callId = '', tool = 'tool' }): Step => {
    const ended = toolCalls.find((call) => call.callId === callId)
    const { from = 0, to } = calls?.get(callId) ?? {}
    return {
      tool: ended?.tool ?? tool,
      arguments: ended?.arguments ?? {},
      isError: ended?.isError ?? false,
      ...(ended?.result !== undefined && { result: ended.result }),
      ...(to !== undefined && { ms: to - from }),
    }
  })
  return { steps, ms: Date.now() - startedAt }
}

/** @returns `undefined` for a value of another shape. */
export function readWork(value: unknown): Work | undefined {
  const { steps, ms } = asRecord(value)
  if (count(ms) === undefined) return undefined
  return {
    ms: count(ms) ?? 0,
    steps: asArray(steps).map((entry) => {
      const step = asRecord(entry)
      const result = text(step['result'])
      const spent = count(step['ms'])
      return {
        tool: text(step['tool']) ?? 'tool',
        arguments: asRecord(step['arguments']),
        isError: step['isError'] === true,
        ...(result !== undefined && { result }),
        ...(spent !== undefined && { ms: spent }),
      }
    }),
  }
}
