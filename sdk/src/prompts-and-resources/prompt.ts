/** `createPrompt`: a message template that a user picks and a client fills in. */
import {
  type Content,
  type Icon,
  type InputRequired,
  isObject,
  type PromptArgument,
  type PromptDescription,
  type PromptResult,
  type ToolResult,
} from 'ftl-contract'
import type { ToolContext } from '../tool/context.ts'
import { InvalidAnswer, InvalidArguments } from '../tool/errors.ts'
import { isResult } from '../tool/stream.ts'
import { type Complete, completionsOf, type Servable } from './common.ts'
import { servePromptsAndResources } from './serve.ts'

/** An argument of a prompt; its value is a string, as the protocol requires. */
export interface PromptArgumentDefinition extends Omit<PromptArgument, 'name'> {
  /** Completions that a client may offer while the user types. */
  complete?: Complete
}

/** Arguments of a prompt, by name. */
export type PromptArguments = Record<string, PromptArgumentDefinition>

/** Required arguments are present, all others are optional. */
export type InferArguments<A extends PromptArguments> = {
  -readonly [K in keyof A as A[K] extends { required: true } ? K : never]: string
} & { -readonly [K in keyof A as A[K] extends { required: true } ? never : K]?: string }

type Message = PromptResult['messages'][number]

/** A string or a piece of content becomes a message of the user. */
export type PromptAnswer =
  string | Content | ToolResult | (Message | string)[] | PromptResult | InputRequired

/** A prompt: the metadata that clients see, and the handler that returns its messages. */
export interface PromptDefinition<A extends PromptArguments> {
  metadata: {
    /** 1 to 128 characters of `[A-Za-z0-9_.-]`. */
    name: string
    title?: string
    description?: string
    /** By name. @default none */
    arguments?: A
    icons?: Icon[]
    _meta?: Record<string, unknown>
  }
  handler: (
    args: { [K in keyof InferArguments<A>]: InferArguments<A>[K] },
    context: ToolContext,
  ) => PromptAnswer | Promise<PromptAnswer>
}

/** A prompt made by `createPrompt`. */
export interface Prompt extends Servable {
  kind: 'prompt'
  description: PromptDescription
  /** @throws {InvalidArguments} when a required argument is missing or an argument is not a string. */
  get(args: unknown, context: ToolContext): Promise<PromptResult | InputRequired>
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/

/**
 * Makes a prompt.
 *
 * @throws {TypeError} at build time, when the name is invalid or the handler is missing.
 * @example
 * export const prompt = createPrompt({
 *   metadata: {
 *     name: 'review',
 *     arguments: { code: { required: true }, language: { complete: () => ['Rust', 'TypeScript'] } },
 *   },
 *   handler: ({ code, language = 'any language' }) => `Review this ${language}:\n${code}`,
 * })
 */
export function createPrompt<const A extends PromptArguments>({
  metadata,
  handler,
}: PromptDefinition<A>): Prompt {
  const { name, arguments: known = {} as A, ...rest } = metadata
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new TypeError(
      `prompt name "${name}": use 1 to 128 characters of letters, digits, "_", "." and "-"`,
    )
  }
  if (typeof handler !== 'function') {
    throw new TypeError(`prompt "${name}": give it a "handler": (args, context) => "the text"`)
  }
  const described = Object.entries<PromptArgumentDefinition>(known).map(
    ([name, { complete: _, ...argument }]): PromptArgument => ({ name, ...argument }),
  )
  return {
    kind: 'prompt',
    description: { name, ...rest, ...(described.length > 0 && { arguments: described }) },
    completions: completionsOf(known),
    serve: servePromptsAndResources,
    async get(args, context) {
      const checked = check(args, described) as Parameters<typeof handler>[0]
      return toPromptResult(name, await handler(checked, context))
    },
  }
}

function check(args: unknown, known: PromptArgument[]): object {
  if (!isObject(args)) {
    throw new InvalidArguments('the arguments must be a JSON object')
  }
  const given = args
  const problems = [
    ...known
      .filter(({ name, required }) => required && given[name] === undefined)
      .map(({ name }) => `${name}: is required`),
    ...Object.keys(given)
      .filter((name) => typeof given[name] !== 'string')
      .map((name) => `${name}: expected string, got ${typeof given[name]}`),
  ]
  if (problems.length > 0) throw new InvalidArguments(problems.join('\n'))
  return given
}

function toPromptResult(name: string, answer: unknown): PromptResult | InputRequired {
  if (typeof answer === 'string') return { messages: [toMessage(answer)] }
  if (Array.isArray(answer)) return { messages: answer.map(toMessage) }
  if (typeof answer === 'object' && answer !== null) {
    if ('messages' in answer || 'resultType' in answer) return answer as PromptResult
    if (isResult(answer)) return { messages: answer.content.map(userSays) }
    if ('type' in answer) return { messages: [userSays(answer as Content)] }
  }
  throw new InvalidAnswer(
    `the handler of prompt "${name}" returned ${answer === null ? 'null' : typeof answer}. ` +
      'Return a string, content, or { messages }',
  )
}

function toMessage(part: Message | string): Message {
  return typeof part === 'string' ? userSays({ type: 'text', text: part }) : part
}

function userSays(content: Content): Message {
  return { role: 'user', content }
}
