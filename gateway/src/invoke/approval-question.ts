/** The question to the person who approves a call. */
import { type InputRequest, isObject } from 'ftl-contract'
import type { CatalogTool } from '../catalog/catalog.ts'
import { withEscapes } from '../catalog/hidden-characters.ts'

/** Characters of the arguments that are shown. What is not shown is counted, so that a person can decline it. */
const MAX_SHOWN = 8_000

/** A form without fields: it is accepted, declined or cancelled. */
export function approvalQuestion(
  { name, component }: CatalogTool,
  args: Readonly<Record<string, unknown>>,
): InputRequest {
  const message = `Approve this call?\nTool: ${name}\nComponent: ${component}\nArguments: ${shown(args)}`
  const requestedSchema = { type: 'object', properties: {} }
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } }
}

/** Hidden characters are shown as escapes: a person must see what the tool receives. */
function shown(args: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(args, undefined, 2).split('\n').map(withEscapes).join('\n')
  const more = text.length - MAX_SHOWN
  return more > 0
    ? `${text.slice(0, MAX_SHOWN)}\n… and ${more} characters that are not shown`
    : text
}

/** Whether a client with these capabilities shows such a form. */
export function canBeAsked(capabilities: Readonly<Record<string, unknown>> = {}): boolean {
  const { elicitation } = capabilities
  // Before there were two modes there were only forms.
  return (
    isObject(elicitation) && (isObject(elicitation.form) || Object.keys(elicitation).length === 0)
  )
}
