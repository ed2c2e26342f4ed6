/** Model files in a folder: a workflow of Windows names them `sub\m.safetensors`, a server elsewhere `sub/m.safetensors`. */
import type { ComfyClient } from '../client/client.ts'
import { ComfyError } from '../client/errors.ts'
import { toNodeClass } from '../client/nodes.ts'
import { findChoice } from '../client/type-checks.ts'

/** Names that are corrected, each after a refusal; a workflow has few models. */
const MAX_NAMES = 8

/**
 * Sends the prompt, and again with the server's own name of a file that it refused only for its separators. A server that
 * refused a prompt has not taken it.
 *
 * @param text JSON; all of it but the name stays as it is.
 * @throws {ComfyError} as `send` does.
 */
export async function withServerNames<Sent>(
  text: string,
  client: Pick<ComfyClient, 'objectInfo'>,
  send: (text: string) => Promise<Sent>,
): Promise<Sent> {
  let prompt = text
  for (let name = 0; ; name++) {
    try {
      return await send(prompt)
    } catch (error) {
      const corrected =
        error instanceof ComfyError && name < MAX_NAMES
          ? await correct(prompt, error, client)
          : prompt
      if (corrected === prompt) throw error
      prompt = corrected
    }
  }
}

async function correct(
  text: string,
  { kind, details: { received, available, nodeType = '', inputName = '' } }: ComfyError,
  client: Pick<ComfyClient, 'objectInfo'>,
): Promise<string> {
  if (kind !== 'missing_model' || typeof received !== 'string' || !/[\\/]/.test(received))
    return text
  const choices = available ?? (await choicesOf(nodeType, inputName, client))
  const name = findChoice(choices, received)
  return text.replaceAll(JSON.stringify(received), () => JSON.stringify(name))
}

/** A server with many files does not list them in its refusal. */
async function choicesOf(
  nodeType: string,
  inputName: string,
  client: Pick<ComfyClient, 'objectInfo'>,
): Promise<unknown[]> {
  try {
    const infos = await client.objectInfo([nodeType])
    const { inputs } = toNodeClass(Object.hasOwn(infos, nodeType) ? infos[nodeType] : undefined)
    return (Object.hasOwn(inputs, inputName) && inputs[inputName]?.choices) || []
  } catch (error) {
    if (error instanceof ComfyError) return []
    throw error
  }
}
