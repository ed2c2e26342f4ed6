/** The command `/tool words` calls a tool without a model. */
import { callTool, newKey } from '../jobs/call.ts'
import { ApiError, asArray, asRecord } from '../net/api.ts'
import { catalog, type Tool, wordsOf } from '../net/tools.ts'
import { changeData, currentChat } from './tab-conversations.ts'
import type { DirectCall } from './message.ts'

/** Tools whose name begins with the text after the slash, then those that contain it; none once arguments follow. */
export function suggestions(typed: string, tools: readonly Tool[]): Tool[] {
  const [, start] = /^\/([\w.-]*)$/.exec(typed) ?? []
  if (start === undefined) return []
  const wanted = start.toLowerCase()
  const begins = ({ name }: Tool) => name.toLowerCase().startsWith(wanted)
  const has = (tool: Tool) => !begins(tool) && tool.name.toLowerCase().includes(wanted)
  return [...tools.filter(begins), ...tools.filter(has)]
}

/** Finds the tool of a command; the words after its name become its first text argument. */
export function readCommand(
  typed: string,
):
  | { tool: Tool; args: Record<string, unknown>; isComplete: boolean }
  | { unknown: string }
  | undefined {
  const [, name, words = ''] = /^\/([\w.-]+)(?:\s+([\s\S]*))?$/.exec(typed.trim()) ?? []
  if (name === undefined) return undefined
  const tool = catalog.get().tools.find((known) => known.name === name)
  if (!tool) return { unknown: name }
  const properties = asRecord(tool.inputSchema['properties'])
  const needed = asArray(tool.inputSchema['required'])
  const first = Object.keys(properties).find((key) => needed.length === 0 || needed.includes(key))
  const { type, enum: values } = asRecord(first === undefined ? undefined : properties[first])
  const takesWords = first !== undefined && type === 'string' && values === undefined
  const args = takesWords && words.trim() !== '' ? { [first]: words.trim() } : {}
  const isComplete =
    needed.every((key) => key === first && takesWords && words.trim() !== '') &&
    (words.trim() === '') !== takesWords
  return { tool, args, isComplete }
}

/**
 * Calls a tool and shows it in the conversation.
 *
 * @param words of the user, as the message. @default the command
 * @throws {ApiError} for arguments that the user can still correct.
 */
export async function callInChat(
  tool: string,
  args: Record<string, unknown>,
  words = `/${tool} ${wordsFor(args)}`.trim(),
): Promise<void> {
  const call: DirectCall = { tool, arguments: args, key: newKey() }
  const called = callTool(tool, args, call)
  // If the arguments are refused, the form stays open with them.
  const early = await Promise.race([
    called.catch((error: unknown) => ({ error })),
    new Promise<undefined>((resolve) => setTimeout(resolve, EARLY_MS)),
  ])
  if (early && 'error' in early && isCorrectable(early.error)) throw early.error
  const chat = currentChat()
  chat.add({ role: 'user', content: words })
  const answer = chat.add({ role: 'assistant', state: 'streaming', data: { call } })
  await settle(chat, answer, called)
}

const EARLY_MS = 400

/** Statuses of arguments that are invalid or too large. */
const INVALID_ARGUMENTS = [400, 413, 422]

/**
 * The user can correct invalid arguments in the form. After any other failure, such as a full queue (429), the call can
 * be repeated with the same key.
 */
function isCorrectable(error: unknown): boolean {
  return error instanceof ApiError && INVALID_ARGUMENTS.includes(error.status)
}

/** Repeats the call of a message after it failed. */
export async function callAgain(id: string): Promise<void> {
  const chat = currentChat()
  const call = chat.getState().messages.find((message) => message.id === id)?.data?.call
  if (!call) return
  chat.change(id, () => ({ state: 'streaming', error: undefined }))
  await settle(chat, id, callTool(call.tool, call.arguments, call))
}

async function settle(
  chat: ReturnType<typeof currentChat>,
  id: string,
  called: ReturnType<typeof callTool>,
): Promise<void> {
  try {
    const made = await called
    changeData(chat, id, () => ('jobId' in made ? { jobs: [made.jobId] } : { result: made.result }))
    chat.change(id, () => ({ state: 'done' }))
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'failed'
    chat.change(id, () => ({ state: 'failed', error: { code, message: wordsOf(error) } }))
  }
}

function wordsFor(args: Record<string, unknown>): string {
  const entries = Object.entries(args)
  const [only, another] = entries
  if (only && !another && typeof only[1] === 'string') return only[1]
  return entries.map(([name, value]) => `${name}=${shown(value)}`).join(' · ')
}

/** A picture as a data URL fills pages. */
const LONGEST_VALUE = 200

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.startsWith('data:')) return `(${/^data:([\w/+.-]+)/.exec(text)?.[1] ?? 'a file'})`
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE).toWellFormed()}…`
}
