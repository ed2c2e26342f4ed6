/**
 * The key of a Comfy account, which nodes that use paid services need.
 *
 * It travels with a prompt and nowhere else. ComfyUI keeps it out of its queue and history, but a node may repeat it in
 * an error or a text, so it is removed from both before a job's record is written.
 *
 * @see https://docs.comfy.org/development/comfyui-server/api-key-integration
 */
import type { ContextPlatform } from 'ftl-sdk'
import { ComfyError } from '../client/errors.ts'

type Variables = Pick<ContextPlatform['variables'], 'get'>

const HIDDEN = '[key]'
/** Characters. A shorter value is not a key, and hiding it could remove ordinary words. */
const SHORTEST_KEY = 8

/** The variable `comfyui_api_key`; `undefined` if it is empty or not declared. */
export function accountKey(variables: Variables): string | undefined {
  return variables.get('comfyui_api_key')?.trim() || undefined
}

/** Replaces the key wherever a text of the server repeats it. */
export function hideKey(text: string, variables: Variables): string {
  const key = accountKey(variables)
  return key === undefined || key.length < SHORTEST_KEY ? text : text.replaceAll(key, HIDDEN)
}

/** {@link hideKey} for all that an error shows to a client. */
export function hideKeyInError(error: ComfyError, variables: Variables): ComfyError {
  const { message, kind, details } = error
  const shown = hideKey(message, variables)
  const { problem, said } = details
  if (shown === message && problem === undefined && said === undefined) return error
  return new ComfyError(kind, shown, {
    ...details,
    ...(problem !== undefined && { problem: hideKey(problem, variables) }),
    ...(said !== undefined && { said: hideKey(said, variables) }),
  })
}
