/** Answers what is asked of a component's prompts and resources. */
import type { ToolContext } from '../tool/context.ts'
import { InvalidArguments } from '../tool/errors.ts'
import { openCall, readText } from '../serve/body.ts'
import { messageFor } from '../serve/error-message.ts'
import { failure, json, methodNotAllowed, notFound } from '../serve/contract-responses.ts'
import type { Complete, PromptsAndResources, PromptResourceServer } from './common.ts'
import type { Resource } from './resource.ts'

/** Most values of one completion. @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion */
const MAX_VALUES = 100

/** The body of `POST /complete`, not checked. */
export interface CompletionQuestion {
  ref?: { type?: string; name?: string; uri?: string }
  argument?: { name?: string; value?: string }
  context?: { arguments?: Record<string, string> }
}

export const servePromptsAndResources: PromptResourceServer = {
  describe: ({ prompts, resources }) => ({
    ...(prompts.length > 0 && { prompts: prompts.map(({ description }) => description) }),
    ...listed('resources', resources, 'uri'),
    ...listed('resourceTemplates', resources, 'uriTemplate'),
    ...([...prompts, ...resources].some(({ completions }) => completions.size > 0) && {
      completions: true,
    }),
  }),

  answer(offers, request, path, { context }) {
    const { method } = request
    return answering(path, context, async () => {
      if (path.startsWith('/prompts/')) {
        if (method !== 'POST') return methodNotAllowed('POST')
        const name = decodeURIComponent(path.slice('/prompts/'.length))
        const prompt = offers.prompts.find(({ description }) => description.name === name)
        if (!prompt) return notFound(`no prompt ${name}`)
        return json(200, await prompt.get(await bodyOf(request, context), context))
      }
      if (path === '/resources') {
        if (method !== 'GET' && method !== 'POST') return methodNotAllowed('GET, POST')
        // A repeated question brings the answers of the client.
        if (method === 'POST') await bodyOf(request, context)
        return read(offers, request, context)
      }
      if (path === '/complete') {
        if (method !== 'POST') return methodNotAllowed('POST')
        const question = (await bodyOf(request, context)) as CompletionQuestion
        return complete(offers, question, context)
      }
      return undefined
    })
  },
}

/** The answer, or what a thrown error means as one. */
export async function answering<Answer>(
  path: string,
  context: ToolContext,
  answer: () => Promise<Answer>,
): Promise<Answer | Response> {
  try {
    return await answer()
  } catch (error) {
    const { message, shown } = messageFor(error, path, context)
    return failure(shown ? 400 : 500, shown ? 'refused' : 'failed', message)
  }
}

function listed(field: string, resources: readonly Resource[], address: string): object {
  const mine = resources.map(({ description }) => description).filter((one) => address in one)
  return mine.length > 0 ? { [field]: mine } : {}
}

/** @throws {InvalidArguments} */
export async function bodyOf(request: Request, context: ToolContext): Promise<unknown> {
  try {
    return openCall(request.headers, await readText(request), context)
  } catch {
    throw new InvalidArguments('the body is not valid JSON')
  }
}

async function read(
  offers: PromptsAndResources,
  request: Request,
  context: ToolContext,
): Promise<Response> {
  const uri = new URL(request.url).searchParams.get('uri') ?? ''
  // A fixed address goes before a template that would match it too.
  const order = [...offers.resources].sort((one, other) => rank(one) - rank(other))
  for (const resource of order) {
    const answer = await resource.read(uri, context)
    if (answer) return json(200, answer)
  }
  return notFound(`no resource ${uri}`)
}

function rank({ description }: Resource): number {
  return 'uri' in description ? 0 : 1
}

async function complete(
  { prompts, resources }: PromptsAndResources,
  { ref = {}, argument = {}, context: known = {} }: CompletionQuestion,
  context: ToolContext,
): Promise<Response> {
  const offered =
    ref.type === 'ref/prompt'
      ? prompts.find(({ description }) => description.name === ref.name)
      : resources.find(
          ({ description }) => 'uriTemplate' in description && description.uriTemplate === ref.uri,
        )
  const how = offered?.completions.get(argument.name ?? '')
  const all = how ? await valuesOf(how, argument.value ?? '', known.arguments ?? {}, context) : []
  const values = all.slice(0, MAX_VALUES)
  const more = all.length > values.length && { total: all.length, hasMore: true }
  return json(200, { completion: { values, ...more } })
}

async function valuesOf(
  how: Complete,
  value: string,
  known: Record<string, string>,
  context: ToolContext,
): Promise<readonly string[]> {
  if (typeof how === 'function') return how(value, { arguments: known, context })
  const typed = value.toLowerCase()
  return how.filter((one) => one.toLowerCase().startsWith(typed))
}
