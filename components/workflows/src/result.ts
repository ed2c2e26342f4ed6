/** What a call answers: the workflow itself, or what ComfyUI made of it. */
import { type ComfyJob, extensionOf, mediaTypeOf, type OutputFile } from 'ftl-comfyui/client'
import { type Content, OUTPUTS_PATH, outputName, type ToolResult } from 'ftl-contract'
import type { Prepared } from './run.ts'

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

/** All files that are kept; where none is, those that are gone with the server's next start. */
export function resultFiles({ files }: Pick<ComfyJob, 'files'>): OutputFile[] {
  const kept = files.filter(({ type }) => type === 'output')
  return kept.length > 0 ? kept : files
}

/** With ComfyUI. Files come first, because clients of the streaming guide read only the first content. */
export function toResult(
  jobId: string,
  { tool, params, seed, warnings }: Pick<Prepared, 'tool' | 'params' | 'seed' | 'warnings'>,
  files: readonly OutputFile[],
  texts: readonly string[],
): ToolResult {
  const outputs = files.map(({ filename }, index) => {
    const name = outputName(jobId, index, extensionOf(filename))
    const mimeType = mediaTypeOf(extensionOf(filename))
    return { url: `${OUTPUTS_PATH}${name}`, name, mimeType, kind: kindOf(mimeType) }
  })
  const links = outputs.map(({ url: uri, name, mimeType }): Content => ({
    type: 'resource_link',
    uri,
    name,
    mimeType,
  }))
  const [first] = outputs
  const made = outputs.length === 1 ? `1 ${first?.kind}` : `${outputs.length} files`
  const summary = `Made ${made}${seed === undefined ? '' : ` with seed ${seed}`}.`
  const shown = outputs.length > 0 ? [summary, ...texts] : texts
  return {
    content: [...links, ...shown.map((text): Content => ({ type: 'text', text }))],
    structuredContent: {
      status: 'ok',
      tool,
      ...(first && { resultUrl: first.url }),
      outputs: outputs.map(({ url, mimeType, kind }) => ({ url, mimeType, kind })),
      ...(texts.length > 0 && { texts }),
      params,
      ...(seed !== undefined && { seed }),
      ...(warnings.length > 0 && { warnings }),
    },
  }
}

function kindOf(mimeType: string): string {
  const [kind = ''] = mimeType.split('/')
  return ['image', 'video', 'audio', 'text'].includes(kind) ? kind : 'file'
}
