/** The tool `run_code`. */
import { fnv1a, type ToolResult } from 'ftl-contract'
import { createTool, type Tool, ToolError } from 'ftl-sdk'
import { prepare, type SyntaxCheck } from './program/prepare.ts'
import { ProgramError } from './program/program-error.ts'
import { type Limits, parseLimits } from './run/limits.ts'
import { withToolHint } from './program/unknown-tool.ts'
import { ConsoleLines } from './run/console-lines.ts'
import { longResult } from './run/long-result.ts'
import { plainResult } from './run/plain-result.ts'
import { refused, report } from './run/report.ts'
import { type RunGateway, runGateway } from './run/run-gateway.ts'
import { type Realm, Session, type SessionOptions, type Start } from './run/session.ts'
import { Trace } from './run/trace.ts'

export interface EngineRealm extends Realm {
  syntaxError(script: string, name: string): string | undefined
}

/** A program without any of these words calls no tool, and sees no difference between two runs. */
const NEEDS_START = /tools|search|describe|Date|random|globalThis|eval|unction|constructor|=>|\\/

/** Milliseconds before the caller's deadline at which the program is ended, so that its error arrives. */
const MARGIN_MS = 250

/**
 * @param capability of this run, for the gateway; absent when something else than the gateway calls.
 * @param isSaved whether the result is only what the program returns, as that of a saved one.
 */
export function runCode(realm: EngineRealm, capability: string | undefined, isSaved = false): Tool {
  return createTool({
    metadata: {
      name: 'run_code',
      title: 'Run a program',
      description: DESCRIPTION,
      inputSchema: {
        type: 'object',
        properties: {
          code: { type: 'string', description: 'TypeScript or JavaScript with top-level await' },
          timeout_ms: { type: 'integer', minimum: 1, description: 'Milliseconds it may take' },
          input: { type: 'object', description: 'The variable input of the program' },
          result: { type: 'string', description: 'Instead of code: handle of a cut result' },
          offset: { type: 'integer', minimum: 0, description: 'Where its next page begins' },
          trace: { type: 'boolean', description: 'Report calls in _meta' },
        },
        additionalProperties: false,
      },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    handler: async ({ code, timeout_ms, trace: wantsTrace, result, input }, context) => {
      if (code === undefined || result !== undefined) {
        throw new ToolError('give "code", or "result" with the handle of a cut result; not both')
      }
      const limits = limitsOf(context.variables.get('limits'), context.deadline, timeout_ms)
      if (capability === undefined) {
        throw new ToolError(
          'run_code must be called through the gateway, which makes the capability of the run',
        )
      }
      const shaped = (result: ToolResult) => (isSaved ? plainResult(result) : result)
      const gateway = runGateway(context.fetch, capability)
      try {
        checkText(code, limits)
        const check: SyntaxCheck = (script) => realm.syntaxError(script, 'program')
        const program = prepare(code, check)
        const { progress, signal, platform } = context
        const start = { ...(await startOf(code, gateway, () => platform.now())), input }
        const trace = wantsTrace ? new Trace(() => platform.now()) : undefined
        const options: SessionOptions = { realm, gateway, limits, start, progress, signal, trace }
        const outcome = await new Session(program, options).run()
        const error = outcome.error && withToolHint(outcome.error, code, start.tools ?? [])
        const long = await longResult(outcome, gateway, limits)
        const console = isSaved ? new ConsoleLines(0) : outcome.console
        const answer = shaped(report(code, { ...outcome, console, error, long }))
        if (!trace || outcome.stopped) return answer
        return { ...answer, _meta: { 'ftl/trace': trace.report(start.replayed === true) } }
      } catch (error) {
        if (error instanceof ProgramError) return shaped(refused(code, error))
        throw error
      }
    },
  })
}

const DESCRIPTION = `Runs a program that calls tools, in a sandbox: use it for several calls, loops, and results to filter.
\`const { structuredContent } = …\` is not needed: \`await tools.<component>.<tool>(args)\` returns the tool's value or text, and throws ToolError.
Also: \`await search(query)\`, \`await describe([names])\`, console, setTimeout, sleep(ms), progress(done, total, message). No network, files or imports.
End with \`return value\` (JSON). Only that and the console come back.`

/**
 * `limits`: what a program may take, such as `wall_ms=20000; memory_mb=32` (docs/programs.md#limits-of-a-program)
 *
 * @default as [listed](programs.md#limits-of-a-program)
 */
function limitsOf(text: string | undefined, deadline: number, wanted?: number): Limits {
  let limits: Limits
  try {
    limits = parseLimits(text)
  } catch (error) {
    throw new ToolError(`The variable "limits" of the component ${(error as Error).message}`)
  }
  const wall = Math.min(limits.wall_ms, wanted ?? Infinity, Math.max(1, deadline - MARGIN_MS))
  return { ...limits, wall_ms: wall }
}

function checkText(code: string, { source_bytes: most }: Limits): void {
  if (code.includes('\0') || !code.isWellFormed()) {
    const message = 'the program has a character that no text has: NUL, or half of a surrogate pair'
    throw new ProgramError('SyntaxError', message)
  }
  // No character takes more than three bytes for each of its UTF-16 units.
  if (code.length * 3 <= most) return
  const bytes = new TextEncoder().encode(code).length
  if (bytes <= most) return
  throw new ProgramError('RangeError', `the program has ${bytes} bytes, and may have ${most}`)
}

async function startOf(code: string, gateway: RunGateway, now: () => number): Promise<Start> {
  if (!NEEDS_START.test(code)) return { startedAt: now(), seed: 0, maxCalls: 0 }
  const { id, ...start } = await gateway.begin()
  // The same id gives the same numbers.
  return { ...start, seed: fnv1a(id) | 0 }
}
