/** Submits the prompt of a job, once. */
import type { ToolContext } from 'ftl-sdk'
import type { ComfyClient } from '../client/client.ts'
import { ComfyError } from '../client/errors.ts'
import type { OutputFile } from '../client/job.ts'
import type { Submission } from '../client/submit.ts'
import { withStandIns } from '../workflow/index.ts'
import { withServerNames } from './server-names.ts'
import { accountKey, hideKeyInError } from './account-key.ts'

/** Prompts that may wait on one server: at a minute each, the last one waits half an hour. */
export const DEFAULT_MAX_QUEUE = 32

/** Where the prompt of a job is; stored with the job, and also needed to find its files. */
export interface PromptState {
  /** Base URL of the server that has the prompt, or that it is being submitted to. */
  server: string
  /** The server's id of the prompt: the job's id, if the server lets clients choose it. */
  promptId: string
  /** The server did not confirm the submission, so it may not have the prompt; removed once the prompt is found. */
  uncertain?: boolean
  /** Whether the result contains the pictures themselves, besides their links. */
  inline?: boolean
  /** Files of the completed prompt, in the order of the result. */
  files?: Pick<OutputFile, 'filename' | 'subfolder' | 'type'>[]
}

export interface SentPrompt extends Pick<PromptState, 'promptId' | 'uncertain'> {
  /** Parts of the workflow that the server left out. */
  warnings: ComfyError[]
}

/**
 * Submits a prompt. Store the server and the id first: if the answer is lost, only they tell where the prompt may be.
 *
 * A server that does not answer now, but answered a moment ago, may have accepted the prompt. The result is then
 * `uncertain`, and the next poll finds out.
 *
 * @throws {ComfyError} when the server refused the prompt.
 */
export async function submitPrompt(
  client: Pick<ComfyClient, 'submit' | 'objectInfo' | 'uploadImage'>,
  { workflow, promptId }: Pick<Submission, 'workflow' | 'promptId'>,
  { platform }: Pick<ToolContext, 'platform'>,
): Promise<SentPrompt> {
  // With the id that the bridge connects with, ComfyUI sends it the steps and previews of this prompt. Without an id
  // ComfyUI sends the steps to all its clients, and they cannot tell which prompt a preview belongs to.
  const clientId = platform.variables.get('comfyui_client_id')
  const key = accountKey(platform.variables)
  const extraData = {
    ...(clientId && { preview_method: 'auto' }),
    ...(key !== undefined && { api_key_comfy_org: key }),
  }
  const hide = (error: ComfyError) => hideKeyInError(error, platform.variables)
  const given = typeof workflow === 'string' ? workflow : JSON.stringify(workflow)
  const send = (prompt: string) =>
    client.submit({
      workflow: prompt,
      promptId,
      ...(clientId && { clientId }),
      ...(Object.keys(extraData).length > 0 && { extraData }),
    })
  const text = await withStandIns(given, () => client.uploadImage(standIn()))
  try {
    const sent = await withServerNames(withUniquePrefix(text, promptId), client, send)
    return { ...sent, warnings: sent.warnings.map(hide) }
  } catch (error) {
    if (!(error instanceof ComfyError)) throw error
    if (!isSilence(error)) throw hide(error)
    return { promptId, uncertain: true, warnings: [] }
  }
}

/** One grey pixel. */
function standIn(): Uint8Array<ArrayBuffer> {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNoaGj4DwAFhAKAU5N0NgAAAABJRU5ErkJggg=='
  return Uint8Array.from(atob(png), (character) => character.charCodeAt(0))
}

/** Whether the server did not answer, so that the outcome of a request is not known. */
function isSilence(error: unknown): boolean {
  return error instanceof ComfyError && (error.kind === 'unreachable' || error.kind === 'timeout')
}

/** Not a part of another text: inside a JSON string every quotation mark is escaped. */
const PREFIX = /("filename_prefix"\s*:\s*")((?:[^"\\]|\\.)*)"/g

/**
 * Gives the files of each job their own names. ComfyUI does not run a node again whose inputs have not changed:
 * `SaveImage` then reports the file that it wrote for the earlier prompt, even if that file was deleted since.
 *
 * Appends the beginning of the job's id to every `filename_prefix`: `mcp/image` becomes `mcp/image-1f2e3d4c`, and the
 * file `mcp/image-1f2e3d4c_00001_.png`. A prefix that another node provides is left as it is. Two dots in the name become one:
 * `/view` refuses a file with them.
 *
 * @param workflow JSON text; everything else in it stays unchanged, because numbers beyond 2^53 must.
 * @param jobId UUID.
 */
export function withUniquePrefix(workflow: string, jobId: string): string {
  const [id = ''] = jobId.split('-')
  return workflow.replace(PREFIX, (_, before: string, prefix: string) => {
    const isWhole = prefix === '' || prefix.endsWith('/') || prefix.endsWith('\\\\')
    const dotted = prefix.replace(/\.{2,}(?=[^/\\]*$)/g, '.')
    return `${before}${dotted}${isWhole ? '' : '-'}${id}"`
  })
}
