/** The message that a caller receives for a failed call. */
import type { ToolContext } from '../tool/context.ts'
import { InvalidArguments, ToolError } from '../tool/errors.ts'
import { logError } from '../tool/log.ts'
import { developerMessage } from './developer-message.ts'

/**
 * @param tool name in the log; the text of an error that callers must not see is only logged, except where the component
 *   is developed and its author is the caller.
 */
export function wordsFor(
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

type Variables = Parameters<typeof developerMessage>[1]
