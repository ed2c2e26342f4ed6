import type { InputRequest, InputRequired, JsonSchema, ToolResult } from 'ftl-contract'
import type { Call } from './call.ts'
import { askUser, inputRequired, userValue } from './inputs.ts'
import { text } from './samples.ts'

/** Work that goes on after the call was answered. */
export interface Work {
  /** Milliseconds it takes once nothing is asked any more. */
  takesMs: number
  /** What its end is made of. */
  input?: Record<string, unknown>
  /** Asked of the client before it goes on, all at once. */
  asks?: Record<string, InputRequest>
}

export type WorkEnd = { result: ToolResult } | { error: { code: number; message: string } }

export interface JobTool {
  inputSchema: JsonSchema
  /** What a client must have said that it can do. @default nothing */
  needs?: ('tasks' | 'elicitation')[]
  begin(call: Call): Work | ToolResult | InputRequired
  end(input: Record<string, unknown>, answers: Record<string, unknown>): WorkEnd
}

const NO_ARGUMENTS: JsonSchema = { type: 'object', additionalProperties: false }
const STRING: JsonSchema = { type: 'string' }

/** Tools that take their time, by name. */
export const JOB_TOOLS: Record<string, JobTool> = {
  slow_compute: {
    inputSchema: {
      type: 'object',
      // Less than the lifetime of a job.
      properties: { seconds: { type: 'number', minimum: 0, maximum: 300 }, label: STRING },
      required: ['seconds'],
    },
    begin: ({ args }) =>
      args['seconds'] === 0
        ? computed(args)
        : { takesMs: Math.round(Number(args['seconds']) * 1000), input: args },
    end: (input) => ({ result: computed(input) }),
  },
  failing_job: {
    inputSchema: NO_ARGUMENTS,
    needs: ['tasks'],
    begin: () => ({ takesMs: 1000 }),
    end: () => ({ result: { ...text('This job fails on purpose.'), isError: true } }),
  },
  protocol_error_job: {
    inputSchema: NO_ARGUMENTS,
    begin: () => ({ takesMs: 500 }),
    end: () => ({ error: { code: -32603, message: 'This job breaks on purpose.' } }),
  },
  confirm_delete: {
    inputSchema: { type: 'object', properties: { filename: STRING }, required: ['filename'] },
    needs: ['tasks', 'elicitation'],
    begin: ({ args }) => ({
      takesMs: 0,
      input: args,
      asks: { sure: askUser(`Delete ${String(args['filename'])}?`, 'confirm', 'boolean') },
    }),
    end: ({ filename }, answers) => ({
      result: text(
        `${String(filename)} is ${userValue({ answers }, 'sure', 'confirm') === true ? 'deleted' : 'kept'}.`,
      ),
    }),
  },
  multi_input: {
    inputSchema: NO_ARGUMENTS,
    needs: ['tasks', 'elicitation'],
    begin: () => ({
      takesMs: 500,
      asks: {
        who: askUser('What is your name?', 'name'),
        sure: askUser('Are you sure?', 'confirm', 'boolean'),
      },
    }),
    end: (_, answers) => ({
      result: text(
        `${String(userValue({ answers }, 'who', 'name'))} is ` +
          `${userValue({ answers }, 'sure', 'confirm') === true ? 'sure' : 'not sure'}.`,
      ),
    }),
  },
  test_tool_with_task: {
    inputSchema: NO_ARGUMENTS,
    needs: ['tasks'],
    begin: (call) => {
      const name = userValue(call, 'user_name', 'name')
      return typeof name === 'string'
        ? { takesMs: 500, input: { name } }
        : inputRequired({ user_name: askUser('What is your name?', 'name') })
    },
    end: ({ name }) => ({ result: text(`Hello, ${String(name)}!`) }),
  },
}

function computed(input: Record<string, unknown>): ToolResult {
  const { seconds, label = 'no label' } = input
  return text(`Computed for ${String(seconds)} s: ${String(label)}`)
}
