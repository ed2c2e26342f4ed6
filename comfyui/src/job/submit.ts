/** Submits the prompt of a job, once. */
import type { ToolContext } from 'ftl-sdk'
import type { ComfyClient } from '../client/client.ts'
import { ComfyError } from '../client/errors.ts'
import type { OutputFile } from '../client/job.ts'
import type { Submission } from '../client/submit.ts'
import { withUniquePrefix } from './unique-prefix.ts'
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
  client: Pick<ComfyClient, 'submit'>,
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
  const text = typeof workflow === 'string' ? workflow : JSON.stringify(workflow)
  try {
    const sent = await client.submit({
      workflow: withUniquePrefix(text, promptId),
      promptId,
      ...(clientId && { clientId }),
      ...(Object.keys(extraData).length > 0 && { extraData }),
    })
    return { ...sent, warnings: sent.warnings.map(hide) }
  } catch (error) {
    if (!(error instanceof ComfyError)) throw error
    if (!isSilence(error)) throw hide(error)
    return { promptId, uncertain: true, warnings: [] }
  }
}

/** Whether the server did not answer, so that the outcome of a request is not known. */
function isSilence(error: unknown): boolean {
  return error instanceof ComfyError && (error.kind === 'unreachable' || error.kind === 'timeout')
}
