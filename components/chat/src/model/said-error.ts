/** What a model's server says went wrong, as far as it may be shown. */
import { isObject, isString } from 'ftl-contract'
import { type ChatFailure, modelFailure } from '../failure.ts'

const SHOWN = 300

/** The text of an error, wherever a server puts it: `"text"`, `{ message }` or `{ error: … }`. */
export function textOfError(error: unknown): string {
  if (isString(error)) return tidy(error)
  if (!isObject(error)) return ''
  const inner = error.error ?? error.message ?? error.detail
  return inner === undefined ? '' : textOfError(inner)
}

/** An error that came where an answer was expected. */
export function saidError(error: unknown): ChatFailure {
  const text = textOfError(error)
  return modelFailure('model_failed', `The model failed${text === '' ? '.' : `: ${text}`}`)
}

/** An answer that is not in the form of its API. */
export function unreadable(text: string): ChatFailure {
  return modelFailure(
    'model_unreadable',
    `The answer of the model's server is not in the format of llm_api (${JSON.stringify(tidy(text).slice(0, 60))}). ` +
      'Set llm_api to openai or ollama, and look at llm_url and llm_path.',
  )
}

/** One line, cut. What looks like a key is taken out: servers like to repeat the one they were sent. */
function tidy(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/\b(sk|gsk|xai|pk)[-_][\w*-]{6,}/gi, '…')
    .trim()
    .slice(0, SHOWN)
}
