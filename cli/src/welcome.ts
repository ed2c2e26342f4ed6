/**
 * What is printed when everything runs: where it is, what it can do, and one line to try.
 *
 * @module
 */
import { line, paint } from './ui.ts'

export interface Addresses {
  gateway: string
  /** Where the gateway listens, as it was asked to. */
  listen: string
  bridge: string | undefined
  /** The simulator, where it was started. */
  simulator: string | undefined
  /** The user's own ComfyUI, where one was named. */
  comfyui: string | undefined
}

interface ToolsAnswer {
  result?: { tools: { name: string; description?: string }[] }
}

export async function printWelcome({
  gateway,
  listen,
  bridge,
  simulator,
  comfyui,
}: Addresses): Promise<void> {
  line()
  line(`  ${paint('bold', 'MCP gateway')}       ${gateway}/mcp`)
  if (bridge !== undefined) {
    line(`  ${paint('bold', 'WebSocket bridge')}  ${bridge.replace(/^http/, 'ws')}/ws/stream/{id}`)
  }
  if (simulator !== undefined) {
    line(`  ${paint('bold', 'ComfyUI')}           ${simulator} ${paint('yellow', '(simulator)')}`)
    line(
      paint('dim', '                    set COMFYUI_URL=http://host:8188 to draw with a real one'),
    )
  } else if (comfyui !== undefined) {
    line(`  ${paint('bold', 'ComfyUI')}           ${comfyui}`)
  }
  const tools = await listTools(gateway)
  line(`\n  ${paint('bold', 'Tools')}`)
  const width = Math.max(...tools.map(({ name }) => name.length))
  for (const { name, description = '' } of tools) {
    line(`    ${paint('cyan', name.padEnd(width))}  ${paint('dim', shorten(description))}`)
  }
  line(`\n  ${paint('bold', 'Try')}`)
  line(`    ${tryLine(gateway, tools)}\n`)
  if (!/^(127\.|localhost:|\[::1\])/.test(listen)) {
    line(
      paint(
        'yellow',
        `  Listening on ${listen}: whoever reaches it can call every tool. See LIMITS.md.\n`,
      ),
    )
  }
  line(paint('dim', '  Ctrl-C ends everything'))
}

async function listTools(gateway: string): Promise<{ name: string; description?: string }[]> {
  const response = await fetch(`${gateway}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
  const { result } = (await response.json()) as ToolsAnswer
  return result?.tools ?? []
}

function tryLine(gateway: string, tools: { name: string }[]): string {
  const call = tools.some(({ name }) => name === 'echo')
    ? '"method":"tools/call","params":{"name":"echo","arguments":{"message":"Hello"}}'
    : '"method":"tools/list"'
  return `curl -s ${gateway}/mcp -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,${call}}'`
}

function shorten(text: string): string {
  const [first = ''] = text.split('\n')
  return first.length <= 90 ? first : `${first.slice(0, 89)}…`
}
