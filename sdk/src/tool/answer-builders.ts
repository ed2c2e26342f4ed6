/** Builders for the answers of a tool. */
import type {
  Content,
  CustomContent,
  InputRequired,
  JobRecord,
  LogLevel,
  LogLine,
  ResourceLinkContent,
  ToolResult,
} from 'ftl-contract'
import { toBase64 } from './base64.ts'
import { errorResult } from './errors.ts'
import { isResult, type ToolGenerator, ToolStream } from './stream.ts'

/** The answer of a tool that has started a job; the result follows later. */
export interface JobStarted {
  job: JobRecord
}

/** The answer to a call: a result, a job that continues, or questions to the client. */
export type ToolAnswer = ToolResult | JobStarted | InputRequired

/** A result that carries a value for programs. */
export interface StructuredResult extends ToolResult {
  structuredContent: NonNullable<unknown> | null
}

export function isJobStarted(answer: object): answer is JobStarted {
  return 'job' in answer
}

/** Whom a client should show a piece of content to, and its importance; `_meta` is for programs. */
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

  /** A resource embedded in the result. */
  resource({ blob, ...rest }: ResourceInput, options?: ContentOptions): ToolResult {
    const resource = blob === undefined ? rest : { ...rest, blob: toBase64(blob) }
    return { content: [{ type: 'resource', resource, ...options }] }
  },

  /**
   * Content of a custom type, with a slash in its name; it is passed through unchanged.
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
   * @param text replaces the JSON text.
   */
  structured(value: unknown, text: string = JSON.stringify(value)): StructuredResult {
    return { content: [{ type: 'text', text }], structuredContent: value as object }
  },

  /**
   * Several pieces of content in one answer: strings, content, and results of the other functions here.
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
   * Asks the client for input: the tool is called again with the same arguments and `context.inputResponses`. Ask only
   * for what `context.clientCapabilities` allows; other clients get an error.
   *
   * @param requestState returned to the tool with the answers; clients can read it, the gateway rejects a changed one.
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
   * Answers with a job. A caller that accepts jobs receives the record immediately; for others the SDK waits for the
   * job to end, at most until the deadline.
   */
  job(job: JobRecord): JobStarted {
    return { job }
  },

  /**
   * Sends updates before the result: a caller that listens receives what the generator yields immediately; what it
   * returns is the result. A handler that is an async generator itself does the same.
   */
  stream(generator: ToolGenerator<unknown> | (() => ToolGenerator<unknown>)): ToolStream {
    return new ToolStream(typeof generator === 'function' ? generator() : generator)
  },

  /** A log line for a generator to yield; callers that requested this level receive it. Log no secrets. */
  log(level: LogLevel, data: unknown, logger?: string): LogLine {
    return { type: 'log', level, data, ...(logger !== undefined && { logger }) }
  },
}
