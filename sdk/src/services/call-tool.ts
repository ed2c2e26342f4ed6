/** Calling a tool of another component of the application. */
import {
  CALLER_HEADER,
  DEADLINE_HEADER,
  PRINCIPAL_HEADER,
  REQUEST_ID_HEADER,
  type ToolResult,
} from 'ftl-contract'
import type { CalledTool, ToolContext } from '../tool/context.ts'
import { ConfigurationError, ToolError } from '../tool/errors.ts'
import { fetchFor } from './fetch.ts'

const TARGET = /^([a-z0-9-]+)(?:\/([\w.-]+))?$/

/**
 * @param remainingMs milliseconds the caller will still wait.
 * @param caller what the gateway has verified about the caller, as it sent it: the host passes on nothing else.
 */
export async function callTool(
  context: ToolContext,
  target: string,
  args: unknown,
  remainingMs: number,
  caller: string | null,
): Promise<CalledTool> {
  const [, component, tool = ''] = TARGET.exec(target) ?? []
  if (component === undefined) {
    throw new TypeError(`"${target}" is not a tool: write "component" or "component/tool"`)
  }
  if (remainingMs <= 0) throw new DOMException('no time is left for it', 'TimeoutError')
  const { principal, requestId, trace } = context
  const response = await fetchFor(
    context,
    `http://${component}.spin.internal/${tool}`,
    {
      method: 'POST',
      headers: {
        ...trace,
        'content-type': 'application/json',
        accept: 'application/json',
        [DEADLINE_HEADER]: String(Math.ceil(remainingMs)),
        [REQUEST_ID_HEADER]: requestId,
        ...(principal !== undefined && { [PRINCIPAL_HEADER]: principal }),
        ...(caller !== null && { [CALLER_HEADER]: caller }),
      },
      body: JSON.stringify(args ?? {}),
    },
    'http://*.spin.internal',
  )
  return readAnswer(target, response.status, await response.text())
}

function readAnswer(target: string, status: number, body: string): CalledTool {
  const result = parse(body) as Partial<ToolResult> | undefined
  if (status === 404 || status === 405) {
    throw new ConfigurationError(
      `there is no tool "${target}": name the component and, where it has several tools, "component/tool"`,
    )
  }
  const content = result?.content
  if (!Array.isArray(content)) throw new Error(`tool ${target} failed (HTTP ${status})`)
  const text = content.flatMap((item) => ('text' in item ? [item.text] : [])).join('\n')
  if (status !== 200 || result?.isError) {
    throw new ToolError(text || `tool ${target} failed`, result?._meta)
  }
  const { structuredContent, _meta } = result ?? {}
  return { content, text, structuredContent, ...(_meta && { _meta }) }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
