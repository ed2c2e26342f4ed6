/** The message that a caller receives for a failed call. */
import { InvalidArguments, ToolError } from '../tool/errors.ts'
import { logError } from '../tool/log.ts'

/** @param tool name in the log; the text of an error that callers must not see is only logged. */
export function wordsFor(error: unknown, tool: string): { message: string; shown: boolean } {
  const shown = error instanceof ToolError || error instanceof InvalidArguments
  if (shown) return { message: error.message, shown }
  logError(`tool ${tool} failed`, error)
  return { message: 'The tool failed; the component’s log says why.', shown }
}
