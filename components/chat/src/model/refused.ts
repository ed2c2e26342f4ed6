/** Turns a refusal of a model's server into an error that says what to do. */
import { discard, readText } from 'ftl-http'
import { ChatFailure, modelFailure } from '../failure.ts'
import type { ModelSettings } from '../settings.ts'
import { textOfError } from './said-error.ts'

/** Largest error body that is read, in bytes. */
const ERROR_LIMIT = 64 * 1024

/** What a header may have: a key with anything else cannot be sent. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Names both causes: a component cannot tell a closed port from a host missing in `allowed_outbound_hosts`. */
export function unreachable({ origin, api, key }: ModelSettings): ChatFailure {
  if (!SENDABLE.test(key)) {
    return modelFailure(
      'model_unauthorized',
      'The variable llm_api_key has a character that no header may have, such as "…" or a line break. Set it to the key alone.',
    )
  }
  const start =
    api === 'ollama'
      ? 'Start Ollama with "ollama serve", or set llm_url to where your model is; '
      : 'Start it, or set llm_url to where your model is; '
  return modelFailure(
    'model_unreachable',
    `No model answers at ${origin}. ${start}"ftl start --demo-model" brings one to try with. ` +
      'If it does run there, allowed_outbound_hosts of the component chat must name it.',
  )
}

/** Adds the server's own error message, if it has one. */
export async function refusedBy(
  response: Response,
  settings: ModelSettings,
  model: string,
  known: () => Promise<string[]>,
): Promise<ChatFailure> {
  const { status } = response
  const said = await errorText(response)
  const why = said === '' ? '' : ` It said: ${said}`
  const at = `The model's server at ${settings.origin}`
  if (status === 401 || status === 403) {
    const what = settings.key === '' ? 'wants a key: set' : 'does not take the key: look at'
    return modelFailure('model_unauthorized', `${at} ${what} the variable llm_api_key.${why}`)
  }
  if (status === 404) {
    const isChoice = settings.models.length > 0
    return notFound(`${at} has no model "${model}".`, why, await known(), isChoice)
  }
  if (status === 429 || status === 503) {
    return modelFailure('model_busy', `${at} has too much to do. Try again in a moment.${why}`)
  }
  if (status === 413 || /context (length|window)|too long/i.test(said)) {
    const hint = 'Begin a new conversation, or send less at once.'
    return modelFailure(
      'model_too_long',
      `The conversation is too long for ${model}. ${hint}${why}`,
    )
  }
  return modelFailure('model_failed', `${at} answered ${status}.${why}`)
}

/**
 * @param names of the server's models; empty if it does not list them.
 * @param isChoice whether a request may choose the model.
 */
export function notFound(
  what: string,
  why: string,
  names: readonly string[],
  isChoice = false,
): ChatFailure {
  const name = isChoice ? 'model, or llm_model,' : 'llm_model'
  const there =
    names.length === 0
      ? `Set ${name} to one it has, and llm_path if its API is elsewhere.`
      : `Set ${name} to one of: ${names.slice(0, 20).join(', ')}.`
  return modelFailure('model_not_found', `${what} ${there}${why}`)
}

async function errorText(response: Response): Promise<string> {
  let text: string
  try {
    text = await readText(response, { limit: ERROR_LIMIT })
  } catch {
    discard(response)
    return ''
  }
  try {
    return textOfError(JSON.parse(text))
  } catch {
    // An HTML page of a proxy does not help the user.
    return /^\s*</.test(text) ? '' : textOfError(text)
  }
}

/** Removes the key: some servers repeat it in their errors. */
export function withoutKey({ status, code, message }: ChatFailure, key: string): ChatFailure {
  return new ChatFailure(status, code, key === '' ? message : message.replaceAll(key, '…'))
}
