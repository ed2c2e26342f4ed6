/** A message of a conversation, with what this page adds to it. */
import type { ChatMessage } from 'ftl-client/chat'
import { asArray, asRecord, text } from '../net/api.ts'
import { readWork, type Work } from './steps.ts'

/** A call of a tool that the user made without a model. */
export interface DirectCall {
  tool: string
  arguments: Record<string, unknown>
  /** Sending the call again with the same key returns the same job. */
  key: string
}

/** What this page adds to a message of the chat. */
export interface Added {
  /** Jobs that the chat did not start: of a direct call, and variations of other jobs. */
  jobs?: string[]
  /** A direct call's result that came without a job. */
  result?: unknown
  call?: DirectCall
  /** Names of attached files. */
  attached?: string[]
  /** What the answer has done, after it has ended. */
  work?: Work
}

export type Message = ChatMessage<Added>

/** The jobs that are shown as cards, in the order in which they began. */
export function jobsOf({ calls, artifacts, data }: Message): string[] {
  const ids = [...calls, ...artifacts].flatMap(({ jobId }) => jobId ?? [])
  return [...new Set([...ids, ...(data?.jobs ?? [])])]
}

/** Why the answer is incomplete, for the user. */
export function errorOf(message: Message): string | undefined {
  const { state, error, calls } = message
  if (error) return error.message
  if (state === 'cancelled') return 'Stopped.'
  if (state === 'broken' && calls.some(({ step, done }) => step === 'approval' && !done)) {
    return 'The page was closed before you decided. The call was not run.'
  }
  // The jobs of such an answer are still followed, and their cards show how they end.
  if (state !== 'broken' || jobsOf(message).length > 0) return undefined
  return 'The page was closed before the answer came.'
}

const STATES = ['streaming', 'done', 'failed', 'broken', 'cancelled']

/** @returns nothing for a value of another shape: an older page or another program may have stored it. */
export function readMessage(json: string): Message[] {
  let value: Record<string, unknown>
  try {
    value = asRecord(JSON.parse(json))
  } catch {
    return []
  }
  const { id, role, content, state, error } = value
  if (typeof id !== 'string' || (role !== 'user' && role !== 'assistant')) return []
  if (text(content) === undefined) return []
  const { artifacts, calls, data } = value
  const objects = (list: unknown) =>
    asArray(list).filter((one) => typeof one === 'object' && one !== null)
  const read = {
    ...value,
    state: STATES.includes(String(state)) ? state : 'done',
    artifacts: objects(artifacts).filter((one) => typeof asRecord(one)['url'] === 'string'),
    calls: objects(calls),
    data: readAdded(data),
    error: text(asRecord(error)['message']) === undefined ? undefined : error,
  }
  return [read as unknown as Message]
}

function readAdded(value: unknown): Added {
  const { jobs, attached, call, work, ...rest } = asRecord(value)
  const read = readWork(work)
  const strings = (list: unknown) => asArray(list).filter((one) => typeof one === 'string')
  const { tool, key } = asRecord(call)
  const isCall = typeof tool === 'string' && typeof key === 'string'
  return {
    ...rest,
    ...(jobs !== undefined && { jobs: strings(jobs) }),
    ...(attached !== undefined && { attached: strings(attached) }),
    ...(read && { work: read }),
    ...(isCall && {
      call: { tool, key, arguments: asRecord(asRecord(call)['arguments']) },
    }),
  }
}
