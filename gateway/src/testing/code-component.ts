/** A code component in memory, by the contract in runs/README.md: its programs are functions of the test. */
import type { ToolResult } from 'ftl-contract'
import type { Component, World } from './components.ts'
import { text } from './components.ts'

/** What a program has. */
export interface Program {
  /** @throws {CallFailed} */
  call: (component: string, tool: string, args?: object) => Promise<ToolResult>
  /** Sends a request of the component, with the capability unless `headers` has another. */
  send: (
    path: string,
    init?: { method?: string; body?: unknown; headers?: object },
  ) => Promise<Response>
  args: Record<string, unknown>
  capability: string
}

/** A call has an error that the program gets. */
class CallFailed extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** What a call of a program had: its result as JSON, or `code: message`. */
export const saying = (work: Promise<unknown>) =>
  work.then(
    (value) => JSON.stringify(value),
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  )

class Paused extends Error {
  readonly seq: number
  constructor(seq: number) {
    super()
    this.seq = seq
  }
}

/** The codes that end the instance. */
const ENDS = ['input_required', 'run_invalid', 'run_ended']

export interface CodeComponent {
  component: Component
  /** Capabilities that it received, in order. */
  capabilities: string[]
  /** Replaced by a test to send a run's requests elsewhere. */
  world: Pick<World, 'send'> | undefined
}

const RUN_CODE = {
  name: 'run_code',
  inputSchema: { type: 'object', properties: { code: { type: 'string' } } },
}

/** @param run returns the text of the result. */
export function codeComponent(run: (program: Program) => Promise<string>): CodeComponent {
  const made: CodeComponent = {
    capabilities: [],
    world: undefined,
    component: async (incoming) => {
      if (incoming.method === 'GET') return Response.json([RUN_CODE])
      const capability = incoming.headers.get('ftl-run') ?? ''
      made.capabilities.push(capability)
      const args = (await incoming.json()) as Record<string, unknown>
      let seq = 0
      let pause: (paused: Paused) => void = () => {}
      const paused = new Promise<never>((_, reject) => (pause = reject))
      const send: Program['send'] = (path, { method = 'POST', body, headers = {} } = {}) => {
        if (!made.world) throw new Error('the component has no gateway')
        return made.world.send(
          new Request(`http://mcp-gateway.spin.internal${path}`, {
            method,
            headers: { 'content-type': 'application/json', 'ftl-run': capability, ...headers },
            ...(body !== undefined && {
              body: typeof body === 'string' ? body : JSON.stringify(body),
            }),
          }),
        )
      }
      const call: Program['call'] = async (component, tool, given = {}) => {
        const own = ++seq
        const response = await send('/run/call', {
          body: { seq: own, component, tool, arguments: given },
        })
        const answer = (await response.json()) as {
          result: ToolResult
          error?: { code: string; message: string }
        }
        if (!answer.error) return answer.result
        const { code, message } = answer.error
        if (!ENDS.includes(code)) throw new CallFailed(response.status, code, message)
        pause(new Paused(own))
        // The program sees nothing more.
        return new Promise(() => {})
      }
      try {
        const value = await Promise.race([run({ call, send, args, capability }), paused])
        return Response.json(text(value))
      } catch (error) {
        if (error instanceof Paused) {
          const _meta = { 'ftl/run': { paused: error.seq } }
          return Response.json({ ...text('The program waits.'), isError: true, _meta })
        }
        return Response.json({ ...text(String(error)), isError: true })
      }
    },
  }
  return made
}
