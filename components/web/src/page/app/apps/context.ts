/** What the page tells an app of itself and of the call. */
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { asRecord, text } from '../net/api.ts'
import type { Tool } from '../net/tools.ts'
import type { Mode } from './app-call.ts'
import { currentLook } from './look.ts'
import { heightOf } from './rules.ts'

export interface ContextOptions {
  tool: Tool
  mode: Mode
  /** Pixels. */
  width: number
  jobId: string | undefined
}

export function contextFor({ tool, mode, width, jobId }: ContextOptions): McpUiHostContext {
  const { name, title, description, inputSchema } = tool
  const maxHeight = heightOf(1e9, innerHeight) ?? 0
  const { theme, variables } = currentLook()
  return {
    theme,
    styles: { variables: variables as NonNullable<McpUiHostContext['styles']>['variables'] },
    toolInfo: {
      tool: { name, title, description, inputSchema: { ...inputSchema, type: 'object' } },
    },
    displayMode: mode,
    availableDisplayModes: ['inline', 'fullscreen'],
    containerDimensions: { width: Math.round(width), maxHeight },
    platform: 'web',
    userAgent: 'ftl-page',
    locale: navigator.language,
    // An app that can follow a job shows it before there is a result.
    ...(jobId !== undefined && { 'ftl/job': { job_id: jobId } }),
  }
}

/** A tool over plain HTTP may answer without content. */
export function resultOf(result: unknown): CallToolResult {
  const { content, isError, ...rest } = asRecord(result)
  const known = Array.isArray(content) ? content : [{ type: 'text', text: text(content) ?? '' }]
  return {
    ...rest,
    content: known as CallToolResult['content'],
    ...(isError === true && { isError }),
  }
}
