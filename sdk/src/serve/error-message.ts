/** The message that a caller receives for a failed call. */
import type { InputRequired, ToolResult } from 'ftl-contract'
import { InputNeeded } from '../tool/elicit.ts'
import { errorResult, InvalidArguments, ToolError } from '../tool/errors.ts'
import type { ToolContext } from '../tool/context.ts'
import { logError } from '../tool/log.ts'
import { developerMessage } from './developer-message.ts'

/**
 * @param tool name in the log; the text of an error that callers must not see is only logged, except where the component
 *   is developed and its author is the caller.
 */
export function messageFor(
  error: unknown,
  tool: string,
  { requestId, platform }: Pick<ToolContext, 'requestId'> & { platform: Variables },
): { message: string; shown: boolean } {
  const shown = error instanceof ToolError || error instanceof InvalidArguments
  if (shown) return { message: error.message, shown }
  logError(`tool ${tool} failed`, error)
  const words = developerMessage(error, platform)
  // Empty where no gateway has sent the call.
  const request = requestId === '' ? [] : [`request id ${requestId}`]
  const message =
    words === undefined
      ? ['The tool failed: internal error', ...request].join(', ')
      : [words, ...request].join('\n')
  return { message, shown }
}

/**
 * What a thrown error means as an answer: a question to the client, or a result with `isError`, whether the call is
 * answered at once or line by line. `undefined` for an error whose text callers must not see.
 */
export function answerOf(error: unknown): ToolResult | InputRequired | undefined {
  if (error instanceof InputNeeded) return error.request
  if (error instanceof InvalidArguments) return errorResult(`Invalid arguments:\n${error.message}`)
  if (isStoreFailure(error)) {
    logError('the key-value store failed', error)
    return {
      ...errorResult(STORE_FAILURE),
      _meta: { kind: 'store_unavailable', retryAfterSeconds: 2 },
    }
  }
  if (!(error instanceof ToolError)) return undefined
  return { ...errorResult(error.message), ...(error.data && { _meta: error.data }) }
}

const STORE_FAILURE = 'The key-value store of the tool does not answer. Retry in 2 s.'

/** A `KeyValueError` of ftl-platform, whose class the SDK does not import. A full store is not one: it stays full. */
function isStoreFailure(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'KeyValueError') return false
  return (error as { tag?: unknown }).tag === 'other' && !error.message.includes('quota exceeded')
}

type Variables = Parameters<typeof developerMessage>[1]
