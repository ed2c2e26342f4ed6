/** A workflow file in the format of the ComfyUI editor, as one in the API format. */
import { ConversionError, isEditorFormat, toApiFormat } from 'ftl-comfyui/editor'
import { checkWorkflow, type Finding } from 'ftl-comfyui/workflow'
import { jsonOf } from 'ftl-contract'
import type { ServerInfo } from './workflows-classes.ts'

export interface FromEditor {
  /** In the API format; `undefined` if the findings have an error. */
  text?: string
  findings: Finding[]
}

/** @returns `undefined` for a file in another format. */
export function fromEditor(
  file: string,
  text: string | undefined,
  server: ServerInfo | undefined,
): FromEditor | undefined {
  const value = text === undefined ? undefined : jsonOf(text)
  if (!isEditorFormat(value)) return undefined
  const fail = (message: string, fix: string): Finding => ({
    ...{ severity: 'error', file, line: 1, message, fix },
  })
  if (!server) {
    const message =
      'the ComfyUI editor saved this file, and converting it needs the node descriptions of a server'
    const fix =
      'add "--comfyui URL" or "--object-info FILE", or export it with "File → Export (API)" and use that file'
    return { findings: [fail(message, fix)] }
  }
  try {
    const { workflow, missing } = toApiFormat(value, server.info)
    const lost = missing.map(({ id, classType }) =>
      fail(
        `the server has no node "${classType}" (node "${id}")`,
        'install the node pack it belongs to, or use another node',
      ),
    )
    return lost.length > 0
      ? { findings: lost }
      : { text: JSON.stringify(workflow, undefined, 2), findings: [] }
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return { findings: [fail(error.message, 'export it with "File → Export (API)"')] }
  }
}

/** What a server would refuse of a file in the editor's format, besides its format. */
export function checkFromEditor(
  file: string,
  text: string | undefined,
  server: ServerInfo,
): Finding[] {
  const converted = fromEditor(file, text, server)
  if (converted?.text === undefined) return converted?.findings ?? []
  const findings = checkWorkflow(converted.text, server.classes)
  return findings.map((finding) => ({ ...finding, file, line: 1 }))
}
