/** In the place of programs, where the application had nothing that runs them when its gateway was built. */
import { PROGRAM_KEY, RUN_TOOL } from './catalog/program-tool.ts'
import type { Feature } from './feature.ts'

export const withoutPrograms: Feature = {
  name: 'without-programs',
  // Without this, the component would be called like any other, and its program could call no tool.
  send({ settings }, { component, description: { name, _meta } }) {
    const isProgram =
      _meta?.[PROGRAM_KEY] === true || (name === RUN_TOOL && component === settings.codeComponent)
    return isProgram ? Promise.resolve({ kind: 'result', result: REFUSAL }) : undefined
  },
}

// A result and not a failure, so that the model reads it to its user.
const REFUSAL = {
  isError: true,
  content: [
    {
      type: 'text' as const,
      text: 'The gateway was built without programs, because the application had no component that runs them (code_component). Build it again: npx ftl build.',
    },
  ],
}
