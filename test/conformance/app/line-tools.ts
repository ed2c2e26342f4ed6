import type { CallLine, InputRequired, ToolResult } from 'ftl-contract'
import type { Call } from './call.ts'
import { askUser, inputRequired, userValue } from './inputs.ts'
import { text } from './samples.ts'

export type Ending = ToolResult | InputRequired
type Step = Exclude<CallLine, { type: 'result' | 'error' }>

/** A tool that takes time and reports its progress. */
export interface LineTool {
  /** Each is sent on its own, {@link PAUSE_MS} after the one before. */
  steps: Step[]
  end(call: Call): Ending
}

/** The pause that the suite requires between two messages. */
const PAUSE_MS = 50

const log = (data: string): Step => ({ type: 'log', level: 'info', data })
const progress = (progress: number): Step => ({ type: 'status', progress, total: 100 })

/** Tools that send something before their result, by name. */
export const LINE_TOOLS: Record<string, LineTool> = {
  test_tool_with_logging: {
    steps: [
      log('Tool execution started'),
      log('Tool processing data'),
      log('Tool execution completed'),
    ],
    end: () => text('The tool with logging has run.'),
  },
  test_tool_with_progress: {
    steps: [progress(0), progress(50), progress(100)],
    end: () => text('The tool with progress has run.'),
  },
  test_logging_tool: {
    steps: [log('This message is for those who asked for a log level.')],
    end: () => text('The logging tool has run.'),
  },
  test_streaming_elicitation: {
    steps: [progress(0)],
    end: (call) => {
      const name = userValue(call, 'user_name', 'name')
      return typeof name === 'string'
        ? text(`Hello, ${name}!`)
        : inputRequired({ user_name: askUser('What is your name?', 'name') })
    },
  },
}

/** Sends the lines one by one. A log line that the client did not request is left out, but its pause is kept. */
export function answerInLines(tool: LineTool, call: Call): Response {
  const encoder = new TextEncoder()
  return new Response(
    new ReadableStream<Uint8Array>({
      async start(controller) {
        const send = (line: CallLine) =>
          controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
        for (const [index, step] of tool.steps.entries()) {
          if (index > 0) await pause()
          if (step.type !== 'log' || call.wantsLog(step.level)) send(step)
        }
        send({ type: 'result', result: tool.end(call) })
        controller.close()
      },
    }),
    { headers: { 'content-type': 'application/x-ndjson' } },
  )
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
