/**
 * Saved programs: tools whose component returns the text of a program instead of a result. The component has no rights. The
 * gateway runs its program in the code component, as it runs one that the caller has sent: with the rights of the caller.
 *
 * A component that could have any program run would act for its callers on other components. So the operator names those that may.
 */
import { isObject, isString, type ToolResult } from 'ftl-contract'
import type { CatalogTool } from '../catalog/catalog.ts'
import { type ComponentCall, callComponent } from '../invoke/call-component.ts'
import { RUN_RESULT } from '../invoke/answer.ts'
import type { ToolCall } from '../invoke/invoker.ts'
import type { Outcome } from '../invoke/outcome.ts'
import type { Scope } from '../scope.ts'
import { PROGRAM_KEY, RUN_TOOL } from '../catalog/program-tool.ts'

/** Its client gets what the program returns, as of any tool, and not a report. */
const SAVED = { 'ftl-run-form': 'value' }

/** As the component says; whether it may is asked when it is called. */
export function isSaved({ description: { _meta } }: CatalogTool): boolean {
  return _meta?.[PROGRAM_KEY] === true
}

/** @returns the call of the code component that runs the program, or the answer of a component that has none. */
export async function programCall(
  scope: Scope,
  { context }: ToolCall,
  sent: ComponentCall<ToolResult>,
): Promise<{ sent: ComponentCall<ToolResult> } | { outcome: Outcome }> {
  const { component } = sent
  const { savedPrograms, codeComponent } = scope.settings
  if (!savedPrograms.includes(component)) {
    const message = `The tool is a program, and the gateway's variable saved_programs does not name its component "${component}".`
    return { outcome: { kind: 'tool-failed', message } }
  }
  const { protocol, trace } = context
  // Its answer is a text that it was built with: there is nothing to report, to ask, or to continue.
  const expected = { ...sent.expected, kept: [PROGRAM_KEY] }
  const outcome = await callComponent(scope, { ...sent, expected, context: { protocol, trace } })
  const program = outcome.kind === 'result' ? outcome.result._meta?.[PROGRAM_KEY] : undefined
  if (!isObject(program) || !isString(program.code)) {
    if (outcome.kind !== 'result' || outcome.result.isError === true) return { outcome }
    const message = `The component "${component}" has returned no program.`
    return { outcome: { kind: 'tool-failed', message } }
  }
  const { code, input } = program
  return {
    sent: {
      ...sent,
      component: codeComponent,
      paths: ['/', `/${RUN_TOOL}`],
      arguments: { code, input },
      expected: RUN_RESULT,
      headers: SAVED,
    },
  }
}
