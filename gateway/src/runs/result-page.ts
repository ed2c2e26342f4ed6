/** `run_code` with `result`: a page of a kept result instead of a run. The component has no part in it. */
import { isString } from 'ftl-contract'
import type { ToolCall } from '../invoke/invoker.ts'
import type { Settled } from '../invoke/outcome.ts'
import type { Scope } from '../scope.ts'
import { RUN_TOOL } from '../catalog/program-tool.ts'
import { OffsetBehindEnd, type Page, readPage } from './kept-result.ts'

/** Its arguments fit the schema of the component, whatever that is. */
export function readsResult({ arguments: args }: ToolCall): boolean {
  return isString(args['result']) && args['code'] === undefined
}

export async function resultPage(scope: Scope, { arguments: args }: ToolCall): Promise<Settled> {
  const { result: handle, offset = 0 } = args
  if (!Number.isSafeInteger(offset) || (offset as number) < 0) {
    return failed('"offset" must be a whole number from 0.')
  }
  try {
    const page = await readPage(scope, handle as string, offset as number)
    if (!page) return failed(NO_RESULT)
    const { text, ...cut } = page
    return {
      kind: 'result',
      result: {
        content: [{ type: 'text', text: `${text}\n${noteOn(handle as string, page)}` }],
        structuredContent: { result: text, cut: { ...cut, shown: text.length, handle } },
      },
    }
  } catch (error) {
    if (!(error instanceof OffsetBehindEnd)) throw error
    return failed(error.message)
  }
}

/** For the model, which can call again. */
function failed(text: string): Settled {
  return { kind: 'result', result: { content: [{ type: 'text', text }], isError: true } }
}

export const NO_RESULT = 'There is no such result, or it has expired. Run the program again.'

function noteOn(handle: string, { text, offset, next, of }: Page): string {
  const place = `characters ${offset} to ${offset + text.length} of ${of}`
  if (next === undefined) return `[${place}: the end]`
  return `[${place}. Next page: ${RUN_TOOL} with ${JSON.stringify({ result: handle, offset: next })}]`
}
