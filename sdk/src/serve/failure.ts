/**
 * What a caller is told of a call that failed.
 *
 * @module
 */
import { InvalidArguments, ToolError } from '../tool/errors.ts'
import { logError } from '../tool/log.ts'

/** @param tool for the log, which keeps what is not meant for others. */
export function wordsFor(error: unknown, tool: string): { message: string; shown: boolean } {
  const shown = error instanceof ToolError || error instanceof InvalidArguments
  if (shown) return { message: error.message, shown }
  logError(`tool ${tool} failed`, error)
  return { message: 'The tool failed; the component’s log says why.', shown }
}
