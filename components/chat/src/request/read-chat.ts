/**
 * Converts the body of a request to a {@link ChatRequest}.
 *
 * Invalid fields are refused by name before the answer begins, because a model's reaction to them is unpredictable.
 */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import { BodyTooLarge, contentTypeOk, parseJson, readText } from 'ftl-http'
import { badRequest, ChatFailure, tooLarge } from '../failure.ts'
import { artifactContent } from './artifact-content.ts'
import type { ChatRequest, HistoryMessage, PinnedGraph } from './chat-request.ts'
import { readContinuation } from './read-continuation.ts'
import { readAttachments } from './read-attachments.ts'

/** Bytes of the body. It contains images in base64, which makes them a third larger. */
const BODY_LIMIT = 8 * 1024 * 1024
/** Characters of the message. */
const MESSAGE_LIMIT = 100_000
/** Messages of the history, and characters of all of them. */
const HISTORY_LIMIT = 200
const HISTORY_SIZE_LIMIT = 400_000
const GRAPH_LIMIT = 200_000
const NAME_LIMIT = 200

/** @throws {ChatFailure} with a 4xx status. */
export async function readChat(request: Request): Promise<ChatRequest> {
  const body = await readBody(request)
  if (!isObject(body)) throw badRequest('The body must be an object with a message.')
  const attachments = readAttachments(body.attachments)
  const { conversationId, model } = body
  return {
    message: readMessage(body.message, attachments.length > 0),
    history: readHistory(body.history),
    ...(conversationId != null && { conversationId: name(conversationId, 'conversationId') }),
    blockedServers: new Set(names(body.blockedServers ?? [], 'blockedServers')),
    enabledTools: readEnabled(body.enabledTools),
    toolArguments: readToolArguments(body.toolArguments),
    ...(body.pinnedGraph != null && { pinnedGraph: readGraph(body.pinnedGraph) }),
    ...(model != null && { model: name(model, 'model') }),
    canApprove: body.canApprove === true,
    ...(body.continuation != null && { resumed: readContinuation(body) }),
    attachments,
  }
}

async function readBody(request: Request): Promise<unknown> {
  if (!contentTypeOk(request.headers)) {
    const message = 'The Content-Type must be application/json.'
    throw new ChatFailure(415, 'unsupported_media_type', message)
  }
  let text: string
  try {
    text = await readText(request, { limit: BODY_LIMIT })
  } catch (error) {
    if (!(error instanceof BodyTooLarge)) throw error
    throw tooLarge(`The body has ${error.message}. Send fewer or smaller attachments.`)
  }
  try {
    return parseJson(text)
  } catch {
    throw new ChatFailure(400, 'invalid_json', 'The body is not JSON that can be read.')
  }
}

function readMessage(value: unknown, mayBeEmpty: boolean): string {
  if (!isString(value)) throw badRequest('message must be a text.', 'message')
  if (value.trim() === '' && !mayBeEmpty) throw badRequest('message must not be empty.', 'message')
  if (value.length <= MESSAGE_LIMIT) return value
  throw tooLarge(
    `message may have ${MESSAGE_LIMIT} characters; send long texts as an attachment.`,
    'message',
  )
}

function readHistory(value: unknown = []): HistoryMessage[] {
  if (!Array.isArray(value)) throw badRequest('history must be an array.', 'history')
  if (value.length > HISTORY_LIMIT) {
    throw tooLarge(
      `history may have ${HISTORY_LIMIT} messages; leave out the oldest ones.`,
      'history',
    )
  }
  let size = 0
  const messages = value.map((entry: unknown, place): HistoryMessage => {
    const at = `history[${place}]`
    if (!isObject(entry)) throw badRequest(`${at} must be an object.`, at)
    const { role, content } = entry
    if (role !== 'user' && role !== 'assistant') {
      throw badRequest(`${at}.role must be user or assistant.`, `${at}.role`)
    }
    if (!isString(content)) throw badRequest(`${at}.content must be a text.`, `${at}.content`)
    size += content.length
    return { role, content }
  })
  if (size > HISTORY_SIZE_LIMIT) {
    const message = `history may have ${HISTORY_SIZE_LIMIT} characters; leave out the oldest messages.`
    throw tooLarge(message, 'history')
  }
  // A failed answer leaves an empty message, and some models refuse those.
  return messages.filter(({ content }) => content.trim() !== '')
}

function readEnabled(value: unknown): Map<string, Set<string>> {
  if (value == null) return new Map()
  const at = 'enabledTools'
  if (!isObject(value)) throw badRequest(`${at} must be an object: component to tools.`, at)
  return new Map(
    Object.entries(value).map(([component, tools]) => [
      component,
      new Set(names(tools, `${at}.${component.slice(0, NAME_LIMIT)}`)),
    ]),
  )
}

function readToolArguments(value: unknown): Map<string, Record<string, unknown>> {
  if (value == null) return new Map()
  const at = 'toolArguments'
  if (!isObject(value)) throw badRequest(`${at} must be an object: tool to arguments.`, at)
  return new Map(
    Object.entries(value).map(([tool, args]) => {
      const named = `${at}.${tool.slice(0, NAME_LIMIT)}`
      if (!isObject(args)) throw badRequest(`${named} must be an object.`, named)
      return [tool, args]
    }),
  )
}

function readGraph(value: unknown): PinnedGraph {
  const at = 'pinnedGraph'
  if (!isObject(value)) throw badRequest(`${at} must be an object with a content.`, at)
  const { title, type } = value
  const known = value.content ?? artifactContent(value)
  if (known == null) throw badRequest(`${at}.content is missing.`, `${at}.content`)
  const content = isString(known) ? known : JSON.stringify(known)
  if (content.length > GRAPH_LIMIT) {
    throw tooLarge(`${at}.content may have ${GRAPH_LIMIT} characters.`, `${at}.content`)
  }
  const words = [title, type].find(isString) ?? 'Knowledge graph'
  return { title: words.slice(0, NAME_LIMIT), content }
}

function names(value: unknown, at: string): string[] {
  if (isArrayOf(value, isString)) return value
  throw badRequest(`${at} must be an array of names.`, at)
}

function name(value: unknown, at: string): string {
  if (isString(value) && value !== '' && value.length <= NAME_LIMIT) return value
  throw badRequest(`${at} must be a text of at most ${NAME_LIMIT} characters.`, at)
}
