/** A gateway over a program and two components that it may call, for tests of runs. */
import { codeComponent, type Program } from './code-component.ts'
import { call, createWorld, post, several, tool, type World } from './components.ts'

export interface EchoRun extends World {
  clock: { now: number }
  /** Calls that reached a component. */
  ran: { path: string; headers: Headers }[]
  capabilities: string[]
  /** Calls `run_code`. @returns the text of its result */
  run(headers?: Record<string, string>, path?: string): Promise<string>
}

/** `echo` has two tools, `other` has one of the same name, and `code` runs the program. */
export function echoRun(
  program: (program: Program) => Promise<string>,
  variables: Record<string, string> = {},
): EchoRun {
  const clock = { now: 1_000_000 }
  const ran: EchoRun['ran'] = []
  const tools = (names: string[]) =>
    several(names.map((name) => tool(name, { text: { type: 'string' } })))
  const noted =
    (component: ReturnType<typeof several>) =>
    (incoming: Request): Response | Promise<Response> => {
      if (incoming.method === 'POST') {
        ran.push({ path: new URL(incoming.url).pathname, headers: incoming.headers })
      }
      return component(incoming)
    }
  const code = codeComponent(program)
  const made = createWorld({
    components: {
      echo: noted(tools(['echo', 'shout'])),
      other: noted(tools(['echo'])),
      code: code.component,
    },
    variables,
    now: () => clock.now,
  })
  code.world = made
  return {
    ...made,
    clock,
    ran,
    capabilities: code.capabilities,
    async run(headers = {}, path = '/mcp') {
      const response = await made.send(post(call('run_code', { code: 'x' }), headers, path))
      const answer = (await response.json()) as { result?: { content: { text: string }[] } }
      return answer.result?.content[0]?.text ?? JSON.stringify(answer)
    },
  }
}
