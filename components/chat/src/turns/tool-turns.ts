/** The turns of an answer in which the model calls tools. They outlive a wait for approvals. */
import type { ChatApproval, ChatContinuation } from 'ftl-client/chat'
import type { Message, ModelCall } from '../model/messages.ts'
import type { Step } from '../request/read-continuation.ts'
import type { EndedCall } from '../tools/call-tool.ts'

/** The text of all turns, as the client has received it. */
export function contentOf(steps: readonly Step[]): string {
  return steps
    .map(({ content }) => content)
    .filter((content) => content !== '')
    .join('\n\n')
}

/** A turn whose calls all have a result, for the model. */
export function messagesOf({ content, calls, results }: Step): Message[] {
  return [
    { role: 'assistant', content, calls },
    ...calls.map((call): Message => ({ role: 'tool', call, content: results.get(call.id) ?? '' })),
  ]
}

/** Some models restart their ids in every turn, or repeat them within one; results and decisions belong to an id. */
export function withOwnIds(calls: readonly ModelCall[], steps: readonly Step[]): ModelCall[] {
  const used = new Set(steps.flatMap((step) => step.calls.map(({ id }) => id)))
  return calls.map((call, place) => {
    let { id } = call
    while (used.has(id)) id = `${id}-${steps.length + 1}-${place}`
    used.add(id)
    return { ...call, id }
  })
}

/** What a person has to decide. */
export function approvalsOf(waiting: readonly EndedCall[]): ChatApproval[] {
  return waiting.flatMap(({ call, tool, arguments: args, end: { approval } }) =>
    approval ? [{ callId: call.id, tool, arguments: args, ...approval }] : [],
  )
}

export function continuationOf(steps: readonly Step[], artifacts: number): ChatContinuation {
  return {
    steps: steps.map(({ content, calls, results }) => ({
      content,
      calls,
      results: [...results].map(([id, text]) => ({ id, content: text })),
    })),
    artifacts,
  }
}
