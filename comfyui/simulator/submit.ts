/** `POST /prompt`: from a body to a place in the queue. */
import { isObject } from 'ftl-contract'
import { type Answer, type Call, HttpFailure, INTERNAL_ERROR, json } from './http.ts'
import type { Choices } from './nodes/definition.ts'
import type { PromptQueue } from './queue.ts'
import { MalformedPrompt, type Prompt, type PromptError } from './prompt.ts'
import { validatePrompt } from './validate.ts'
import type { VersionTraits } from './version.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Account keys for paid nodes; never shown by queue or history. */
const SECRETS = ['api_key_comfy_org', 'auth_token_comfy_org']

const NO_PROMPT: PromptError = {
  type: 'no_prompt',
  message: 'No prompt provided',
  details: 'No prompt provided',
  extra_info: {},
}

const INVALID_ID: PromptError = {
  type: 'invalid_prompt_id',
  message: 'prompt_id must be a valid UUID',
  details:
    'prompt_id must be a UUID string in canonical lowercase hyphenated form; omit it to let the server generate one',
  extra_info: {},
}

export async function submitPrompt(
  call: Call,
  queue: PromptQueue,
  traits: VersionTraits,
  choices: Choices,
): Promise<Answer> {
  const body = await call.json()
  // The server only looks for `prompt` in it.
  if (Array.isArray(body)) return refuse(NO_PROMPT)
  if (!isObject(body)) throw new HttpFailure(INTERNAL_ERROR)
  let number = typeof body.number === 'number' ? body.number : queue.nextNumber()
  if (body.number === undefined && body.front === true) number = -number
  if (!('prompt' in body)) return refuse(NO_PROMPT)
  const { prompt } = body
  if (!isObject(prompt)) throw new HttpFailure(INTERNAL_ERROR)
  const id = typeof body.prompt_id === 'string' ? body.prompt_id : crypto.randomUUID()
  if (traits.uuidOnly && !UUID.test(id)) return refuse(INVALID_ID)
  const verdict = validate(prompt as Prompt, traits, choices)
  if (verdict.error) return refuse(verdict.error, verdict.nodeErrors)

  const extra = body.extra_data ?? {}
  if (!isObject(extra)) throw new HttpFailure(INTERNAL_ERROR)
  const targets = Array.isArray(body.partial_execution_targets)
    ? verdict.outputs.filter((output) =>
        (body.partial_execution_targets as unknown[]).includes(output),
      )
    : verdict.outputs
  await queue.add({
    number,
    id,
    prompt: prompt as Prompt,
    extraData: {
      ...Object.fromEntries(Object.entries(extra).filter(([key]) => !SECRETS.includes(key))),
      ...('client_id' in body && { client_id: body.client_id }),
      ...(traits.createTime && { create_time: Date.now() }),
    },
    outputs: targets,
  })
  return json(200, { prompt_id: id, number, node_errors: verdict.nodeErrors })
}

function validate(
  prompt: Prompt,
  traits: VersionTraits,
  choices: Choices,
): ReturnType<typeof validatePrompt> {
  try {
    return validatePrompt(prompt, traits, choices)
  } catch (error) {
    throw error instanceof MalformedPrompt ? new HttpFailure(INTERNAL_ERROR) : error
  }
}

function refuse(error: PromptError, nodeErrors: Record<string, unknown> = {}): Answer {
  return json(400, { error, node_errors: nodeErrors })
}
