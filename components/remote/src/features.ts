/** Forwards requests for prompts, resources and completions to the server that has them. */
import {
  type Content,
  type InputRequired,
  isObject,
  type PromptResult,
  type ResourceResult,
} from 'ftl-contract'
import {
  type CompletionAnswer,
  type CompletionQuestion,
  createDynamicFeatures,
  ToolError,
  type ToolContext,
} from 'ftl-sdk'
import { placeOf } from './addresses.ts'
import { ask, inputRequired, withoutServerMeta } from './call.ts'
import { openRemotes, othersOf, type Remotes } from './catalog.ts'
import { signInError } from './consent/ask.ts'
import { SignInNeeded } from './consent/tokens.ts'
import { linkedContent, linksOf } from './links.ts'
import type { Others } from './store.ts'
import { RemoteError } from './wire/remote-error.ts'

export const features = createDynamicFeatures({
  async prompt(name, args, context) {
    const { remotes, others } = await open(context, ({ prompts }) => Object.hasOwn(prompts, name))
    const place = Object.hasOwn(others.prompts, name) ? others.prompts[name] : undefined
    if (!place) return undefined
    const { server } = place
    const result = await request(remotes, server, 'prompts/get', {
      name: place.name,
      arguments: args,
    })
    return result && asPrompt(result, others, server)
  },

  async resource(uri, context) {
    const { remotes, others } = await open(
      context,
      ({ addresses }) => placeOf(addresses, uri) !== undefined,
    )
    const place = placeOf(others.addresses, uri)
    if (!place) return undefined
    const result = await request(remotes, place.server, 'resources/read', { uri: place.uri })
    if (!result) return undefined
    const resource = asResource(result, others, place.server)
    // Servers mean their own callers. Here, others may have fewer rights, or another account.
    const isPrivate = context.principal !== undefined && 'cacheScope' in resource
    return isPrivate ? { ...resource, cacheScope: 'private' } : resource
  },

  async complete(question, context) {
    const { remotes, others } = await open(
      context,
      (known) => referred(known, question) !== undefined,
    )
    const target = referred(others, question)
    if (!target) return undefined
    const { argument, context: known } = question
    const params = { ref: target.ref, argument, ...(known && { context: known }) }
    const result = await request(remotes, target.server, 'completion/complete', params)
    return result && asCompletion(result)
  },
})

/** What leads to the servers; it is made again only if it lacks what is asked for. */
async function open(
  context: ToolContext,
  has: (others: Others) => boolean,
): Promise<{ remotes: Remotes; others: Others }> {
  const remotes = await openRemotes(context)
  return { remotes, others: await othersOf(remotes, has) }
}

function referred(
  { prompts, addresses }: Others,
  { ref = {} }: CompletionQuestion,
): { server: string; ref: object } | undefined {
  const { type, name = '', uri = '' } = ref
  if (type === 'ref/prompt') {
    const prompt = Object.hasOwn(prompts, name) ? prompts[name] : undefined
    return prompt && { server: prompt.server, ref: { type, name: prompt.name } }
  }
  const template = addresses.templates.find(({ published }) => published === uri)
  return template && { server: template.server, ref: { type, uri: template.template } }
}

/** Codes with which servers say that there is no such resource or prompt. */
const NOT_FOUND: unknown[] = [-32002]

/** @returns `undefined` if the server has no such thing. @throws {ToolError} when the server fails. */
async function request(
  remotes: Remotes,
  name: string,
  method: string,
  params: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const server = remotes.servers.find((each) => each.name === name)
  if (!server) return undefined
  try {
    return await ask(remotes, server, { method, params })
  } catch (error) {
    if (error instanceof SignInNeeded) throw await signInError(remotes, server)
    if (!(error instanceof RemoteError)) throw error
    if (NOT_FOUND.includes(error.code)) return undefined
    throw new ToolError(`The server "${name}" ${error.message}.`)
  }
}

function asPrompt(
  result: Record<string, unknown>,
  { addresses }: Others,
  server: string,
): PromptResult | InputRequired {
  const asked = inputRequired(result)
  if (asked) return asked
  const { messages } = result
  if (!Array.isArray(messages)) throw odd(server, 'a prompt without messages')
  const link = linksOf(addresses, server)
  const linked = messages.map((message: unknown) => {
    if (!isObject(message)) return message
    const content = message['content'] as Content
    return { ...message, content: linkedContent(content, link) }
  })
  return { ...withoutServerMeta(result), messages: linked } as unknown as PromptResult
}

function asResource(
  result: Record<string, unknown>,
  { addresses }: Others,
  server: string,
): ResourceResult | InputRequired {
  const asked = inputRequired(result)
  if (asked) return asked
  const { contents } = result
  if (!Array.isArray(contents)) throw odd(server, 'a resource without contents')
  const link = linksOf(addresses, server)
  const linked = contents.map((content: unknown) =>
    isObject(content) && typeof content['uri'] === 'string'
      ? { ...content, uri: link(content['uri']) }
      : content,
  )
  return { ...withoutServerMeta(result), contents: linked } as unknown as ResourceResult
}

function asCompletion({ completion }: Record<string, unknown>): CompletionAnswer | undefined {
  const { values, total, hasMore } = isObject(completion) ? completion : {}
  if (!Array.isArray(values)) return undefined
  return {
    completion: {
      values: values.filter((value) => typeof value === 'string'),
      ...(typeof total === 'number' && { total }),
      ...(typeof hasMore === 'boolean' && { hasMore }),
    },
  }
}

function odd(server: string, what: string): ToolError {
  return new ToolError(`The server "${server}" answered ${what}.`)
}
