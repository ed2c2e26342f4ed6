/**
 * Builders for what a tool answers.
 *
 * @module
 */
import type { InputRequired } from '../contract/input-required.ts'
import type { JobRecord } from '../contract/job.ts'
import type { LogLevel, LogLine } from '../contract/lines.ts'
import type { Content, CustomContent, ResourceLinkContent, ToolResult } from '../contract/tool.ts'
import { toBase64 } from './base64.ts'
import { errorResult } from './errors.ts'
import { isResult, type ToolGenerator, ToolStream } from './stream.ts'

/** A tool started a job: it answers now, the result comes later. */
export interface JobStarted {
  job: JobRecord
}

/** What a call ends with: a result, a job that goes on, or a question to the client. */
export type ToolAnswer = ToolResult | JobStarted | InputRequired

export function isJobStarted(answer: object): answer is JobStarted {
  return 'job' in answer
}

/** What a client may show of a piece of content, and to whom; `_meta` is for programs. */
export interface ContentOptions {
  annotations?: { audience?: ('user' | 'assistant')[]; priority?: number; lastModified?: string }
  _meta?: Record<string, unknown>
}

/** A resource to put into a result, as text or as bytes. */
export interface ResourceInput {
  uri: string
  mimeType?: string
  /** Give `text` or `blob`, not both. */
  text?: string
  /** Bytes, or base64. */
  blob?: Uint8Array | string
}

/**
 * Makes tool results.
 *
 * @example
 * return ToolResponse.text(`You said: ${input.message}`)
 */
export const ToolResponse = {
  text(text: string, options?: ContentOptions): ToolResult {
    return { content: [{ type: 'text', text, ...options }] }
  },

  /** A failure the model should read; the call itself succeeded. */
  error: errorResult,

  /** @param data bytes, or base64. */
  image(data: Uint8Array | string, mimeType: string, options?: ContentOptions): ToolResult {
    return { content: [{ type: 'image', data: toBase64(data), mimeType, ...options }] }
  },

  /** @param data bytes, or base64. */
  audio(data: Uint8Array | string, mimeType: string, options?: ContentOptions): ToolResult {
    return { content: [{ type: 'audio', data: toBase64(data), mimeType, ...options }] }
  },

  /** A resource carried in the result itself. */
  resource({ blob, ...rest }: ResourceInput, options?: ContentOptions): ToolResult {
    const resource = blob === undefined ? rest : { ...rest, blob: toBase64(blob) }
    return { content: [{ type: 'resource', resource, ...options }] }
  },

  /**
   * Content of a type of your own, with a slash in its name; it is passed through untouched.
   *
   * @example ToolResponse.custom('custom/chart', { data, metadata: { chartType: 'bar' } })
   */
  custom(type: CustomContent['type'], fields: Record<string, unknown>): ToolResult {
    return { content: [{ ...fields, type }] }
  },

  /** A resource the client may fetch itself. */
  resourceLink(link: Omit<ResourceLinkContent, 'type'>): ToolResult {
    return { content: [{ type: 'resource_link', ...link }] }
  },

  /**
   * A value that fits the tool's `outputSchema`; repeated as JSON text, because older clients read only that.
   *
   * @param text what to say instead of the JSON.
   */
  structured(value: unknown, text: string = JSON.stringify(value)): ToolResult {
    return { content: [{ type: 'text', text }], structuredContent: value }
  },

  /**
   * Several pieces of content in one answer: texts, content, and what the functions here make.
   *
   * @example ToolResponse.content('Here it is:', ToolResponse.image(bytes, 'image/png'))
   */
  content(...parts: (Content | ToolResult | string)[]): ToolResult {
    return {
      content: parts.flatMap((part): Content | Content[] => {
        if (typeof part === 'string') return { type: 'text', text: part }
        return isResult(part) ? part.content : part
      }),
    }
  },

  /**
   * The tool cannot go on without the client: it asks, and is called again with the same arguments and
   * `context.inputResponses`. Ask only what `context.clientCapabilities` allows; other clients get an error.
   *
   * @param requestState what the tool wants back with the answers; it is kept from being changed on the way.
   */
  inputRequired(
    inputRequests: NonNullable<InputRequired['inputRequests']>,
    requestState?: string,
  ): InputRequired {
    return {
      resultType: 'input_required',
      inputRequests,
      ...(requestState !== undefined && { requestState }),
    }
  },

  /**
   * A job was started. A caller that allows it is answered with the record at once; for any other the SDK
   * waits for the job's end, at most until the deadline.
   */
  job(job: JobRecord): JobStarted {
    return { job }
  },

  /**
   * News on the way to the result: what the generator yields is sent at once to a caller that listens, what it returns
   * is the result. A handler that is an async generator itself means the same.
   */
  stream(generator: ToolGenerator<unknown> | (() => ToolGenerator<unknown>)): ToolStream {
    return new ToolStream(typeof generator === 'function' ? generator() : generator)
  },

  /** A line for whoever wants the log of this call; for a generator to yield. Nothing secret belongs there. */
  log(level: LogLevel, data: unknown, logger?: string): LogLine {
    return { type: 'log', level, data, ...(logger !== undefined && { logger }) }
  },
}
