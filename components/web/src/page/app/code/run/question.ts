/** The gateway's question about a call of a program, for the page's own dialog. */
import { asRecord, text } from '../../net/api.ts'

export interface CallQuestion {
  tool: string
  component: string
  arguments: Record<string, unknown>
}

export const APPROVAL = 'ftl/approval'

const FORM = /^Approve this call\?\nTool: (.*)\nComponent: (.*)\nArguments: ([\s\S]*)$/

/** @param requests of a task, or of a call. @returns `undefined` if nothing is asked that the page can answer. */
export function questionOf(requests: unknown): CallQuestion | undefined {
  const asked = asRecord(requests)
  if (!Object.hasOwn(asked, APPROVAL)) return undefined
  const message = text(asRecord(asRecord(asked[APPROVAL])['params'])['message']) ?? ''
  const [, tool, component, shown] = FORM.exec(message) ?? []
  // A message of another form is shown as it is.
  if (tool === undefined || component === undefined || shown === undefined) {
    return { tool: 'not known', component: 'not known', arguments: { question: message } }
  }
  return { tool, component, arguments: readArguments(shown) }
}

function readArguments(shown: string): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(shown))
  } catch {
    // Long arguments are cut, and say so.
    return { 'all arguments': shown }
  }
}
