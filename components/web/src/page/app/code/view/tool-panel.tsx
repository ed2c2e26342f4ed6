/** The tool that the cursor is in, below the editor: what a pointer sees by hovering. */
import type { ProgramTool } from '../declared/program-tools.ts'
import { access } from '../declared/program-tools.ts'
import { membersOf, typeOf } from '../declared/shape.ts'
import './tool-panel.css'

export function ToolPanel({ tool }: { tool: ProgramTool | undefined }) {
  if (!tool) {
    return (
      <p class="tool-panel about">
        Type <kbd>tools.</kbd> for completion. <kbd>Ctrl</kbd>+<kbd>Enter</kbd> runs the program,{' '}
        <kbd>Tab</kbd> leaves the editor.
      </p>
    )
  }
  const given = membersOf(tool.input)
    .slice(0, 12)
    .map(({ name, shape, isRequired }) => `${name}${isRequired ? '' : '?'}: ${typeOf(shape)}`)
  return (
    <div class="tool-panel" role="group" aria-label="Tool at the cursor">
      <p>
        <code>
          tools{access(tool.component)}
          {access(tool.name)}
        </code>{' '}
        <span class="about clamped">{tool.description}</span>
      </p>
      {given.length > 0 && <p class="given">{given.join(', ')}</p>}
    </div>
  )
}
