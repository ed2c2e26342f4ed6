/** What a call answers: the workflow itself, or what ComfyUI made of it. */
import type { OutputFile } from 'ftl-comfyui/client'
import { nameOutputs, toLink } from 'ftl-comfyui/job'
import type { Content, ToolResult } from 'ftl-contract'
import type { Prepared } from './prepare-call.ts'

/** Without ComfyUI: the updated workflow in the API format, ready to be run. Its text is exact to the last digit. */
export function workflowResult(prepared: Prepared): ToolResult {
  const { tool, workflow, params, seed, imprecise } = prepared
  const warnings = [...prepared.warnings]
  if (imprecise) {
    const text =
      'The workflow has numbers beyond 2^53: take it from the text, not from structuredContent.'
    warnings.push(text)
  }
  return {
    content: [{ type: 'text', text: workflow }],
    structuredContent: {
      status: 'ok',
      tool,
      params,
      ...(seed !== undefined && { seed }),
      ...(warnings.length > 0 && { warnings }),
      workflow: JSON.parse(workflow) as unknown,
    },
  }
}

/** With ComfyUI. The text comes first and has the addresses, because several agent frameworks read only that. */
export function toResult(
  jobId: string,
  { tool, params, seed, warnings }: Pick<Prepared, 'tool' | 'params' | 'seed' | 'warnings'>,
  files: readonly OutputFile[],
  texts: readonly string[],
): ToolResult | undefined {
  if (files.length === 0 && texts.length === 0) return undefined
  const named = nameOutputs(jobId, files)
  const outputs = named.map(({ url, mimeType }) => ({ url, mimeType, kind: kindOf(mimeType) }))
  const [first] = outputs
  const made = outputs.length === 1 ? `1 ${first?.kind}` : `${outputs.length} files`
  const summary = `Made ${made}${seed === undefined ? '' : ` with seed ${seed}`}.`
  const addresses = outputs.map(({ url }) => url)
  const shown = outputs.length > 0 ? [[summary, ...addresses].join('\n'), ...texts] : texts
  return {
    content: [...shown.map((text): Content => ({ type: 'text', text })), ...named.map(toLink)],
    structuredContent: {
      status: 'ok',
      tool,
      ...(first && { resultUrl: first.url }),
      outputs,
      ...(texts.length > 0 && { texts }),
      params,
      ...(seed !== undefined && { seed }),
      ...(warnings.length > 0 && { warnings }),
    },
  }
}

function kindOf(mimeType: string): string {
  const [kind = ''] = mimeType.split('/')
  return ['image', 'video', 'audio', 'text', 'model'].includes(kind) ? kind : 'file'
}
