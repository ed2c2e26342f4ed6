/** Prints the welcome message when everything runs: addresses, tools, and one command to try. */
import type { AddressProblem } from '../comfyui-server/address.ts'
import { waitForFirstCatalog } from './first-catalog.ts'
import { sampleArguments } from '../contract-test/sample-arguments.ts'
import { abandonStep, line, paint, step } from '../terminal/ui.ts'
import { visible } from '../terminal/visible-text.ts'

/** Problems that the welcome message shows. */
const MAX_PROBLEMS = 8

/** What clients get instead of a long list of tools. */
const SEARCH = ['search_tools', 'describe_tools', 'use_tool']

export interface Addresses {
  gateway: string
  bridge: string | undefined
  /** Whether the application has the page at `/`. */
  page: boolean
  /** URL of the simulator, if it was started. */
  simulator: string | undefined
  /** The user's own ComfyUI, if one was given. */
  comfyui: { origin: string; path: string; problem?: AddressProblem | undefined } | undefined
  /** URL of the demo model, if it was started. */
  demoModel?: string | undefined
  /** Where the activity is shown. @default nowhere */
  activity?: string | undefined
}

interface Tool {
  name: string
  description?: string
  inputSchema?: unknown
}

interface ToolsAnswer {
  result?: { tools: Tool[] }
}

export async function printWelcome({
  gateway,
  bridge,
  page,
  simulator,
  comfyui,
  demoModel,
  activity,
}: Addresses): Promise<void> {
  const { unavailable, problems } = await waitForFirstCatalog(gateway, {
    onSlow: () => void step('waiting for the first list of tools'),
  })
  abandonStep()
  line()
  if (page) line(`  ${paint('bold', 'Page')}              ${gateway}/`)
  line(`  ${paint('bold', 'MCP gateway')}       ${gateway}/mcp`)
  if (activity !== undefined) line(`  ${paint('bold', 'Activity')}          ${activity}`)
  if (bridge !== undefined) {
    line(`  ${paint('bold', 'WebSocket bridge')}  ${bridge.replace(/^http/, 'ws')}/ws/stream/{id}`)
  }
  if (simulator !== undefined) {
    line(`  ${paint('bold', 'ComfyUI')}           ${simulator} ${paint('yellow', '(simulator)')}`)
    line(
      paint('dim', '                    set COMFYUI_URL=http://host:8188 to draw with a real one'),
    )
  } else if (comfyui !== undefined) {
    const { origin, path, problem } = comfyui
    // A list may contain users and passwords.
    line(`  ${paint('bold', 'ComfyUI')}           ${origin.replace(/\/\/[^/,]*@/g, '//')}${path}`)
    if (problem) {
      line(paint('yellow', `                    ${problem.message}`))
      line(paint('dim', `                    ${problem.remedy}`))
    }
  }
  if (demoModel !== undefined) {
    line(
      `  ${paint('bold', 'Chat')}              ${gateway}/api/chat ${paint('yellow', '(demo model)')}`,
    )
    line(paint('dim', '                    set llm_url to talk to a real model: docs/chat.md'))
  }
  const tools = await listTools(gateway)
  line(`\n  ${paint('bold', 'Tools')}`)
  if (tools === 'locked') {
    line('    are listed for clients with a token or an API key: ftl tools --token KEY\n')
    line(paint('dim', '  Ctrl-C ends everything'))
    return
  }
  if (tools.length === 0 && unavailable.length === 0) {
    line(paint('yellow', '    none: see /health/components'))
  }
  if (SEARCH.every((tool) => tools.some(({ name }) => name === tool))) {
    const why =
      'The whole list is long, so clients search in it (docs/many-tools.md). "ftl tools" prints it.'
    line(paint('dim', `    ${why}`))
  }
  const width = Math.max(...tools.map(({ name }) => name.length))
  for (const { name, description = '' } of tools) {
    line(`    ${paint('cyan', name.padEnd(width))}  ${paint('dim', shorten(description))}`)
  }
  for (const { component, reason } of unavailable) {
    const [first = ''] = reason.split('\n')
    const text = first.startsWith(`${component} `) ? first : `${component}: ${first}`
    line(paint('yellow', `    ${visible(text)} (see /health/components)`))
  }
  for (const { component, problem } of problems.slice(0, MAX_PROBLEMS)) {
    line(paint('yellow', `    ${component}: ${visible(problem)}`))
  }
  if (problems.length > MAX_PROBLEMS) {
    line(paint('yellow', `    and ${problems.length - MAX_PROBLEMS} more: see /health/components`))
  }
  line(`\n  ${paint('bold', 'Try')}`)
  line(`    ${tryLine(gateway, tools)}\n`)
  line(paint('dim', '  Ctrl-C ends everything'))
}

/** @returns `locked` if the gateway requires authentication. */
async function listTools(gateway: string): Promise<Tool[] | 'locked'> {
  const response = await fetch(`${gateway}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
  if (response.status === 401) return 'locked'
  const { result } = (await response.json()) as ToolsAnswer
  return result?.tools ?? []
}

function tryLine(gateway: string, tools: readonly Tool[]): string {
  // `echo` responds immediately to any arguments.
  const tool = tools.find(({ name }) => name === 'echo') ?? tools[0]
  const params = tool && { name: tool.name, arguments: sampleArguments(tool.inputSchema) }
  const request = tool
    ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    : { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const body = JSON.stringify(request).replaceAll("'", "'\\''")
  return `curl -s ${gateway}/mcp -H 'Content-Type: application/json' -d '${body}'`
}

function shorten(text: string): string {
  const [first = ''] = text.split('\n')
  return first.length <= 90 ? first : `${first.slice(0, 89)}…`
}
