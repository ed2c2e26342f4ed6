/**
 * Settings of the model, read from the variables `llm_url`, `llm_path`, `llm_model`, `llm_models`, `llm_api_key`,
 * `llm_api` and `chat_max_steps`.
 */
import { ConfigurationError } from 'ftl-http'
import type { Variables } from 'ftl-platform'
import { badRequest } from './failure.ts'

/** API of the model's server: OpenAI chat completions, or Ollama's native API. */
export type Api = 'openai' | 'ollama'

export interface ModelSettings {
  api: Api
  /** Scheme, host and port of `llm_url`. The path is separate, because `allowed_outbound_hosts` allows no paths. */
  origin: string
  /** Path before `/chat/completions` or `/chat`. @default `/v1` or `/api`, unless `llm_path` or `llm_url` has a path */
  path: string
  /** `llm_model`; empty = the server's first model. */
  model: string
  /**
   * `llm_models`: models that a request may choose besides `model`; `'*'` = any. @default none: requests would otherwise
   * choose what the operator pays for
   */
  models: readonly string[]
  /** `llm_api_key`. Never shown, and removed from the server's errors. */
  key: string
  /** `chat_max_steps`: how many times the model may request tools in one answer. @default 8 */
  maxSteps: number
}

/** Ollama's default port. @see https://docs.ollama.com/faq */
const OLLAMA_PORT = '11434'
const DEFAULT_URL = `http://127.0.0.1:${OLLAMA_PORT}`
const DEFAULT_STEPS = 8
const MOST_STEPS = 50

/** @throws {ConfigurationError} with the variable and its allowed values. */
export function modelSettings(variables: Variables): ModelSettings {
  const read = (name: string) => (variables.get(name) ?? '').trim()
  const { url, path: pathOfUrl } = address(read('llm_url') || DEFAULT_URL)
  const given = trimmed(read('llm_path') || pathOfUrl)
  const api = apiOf(read('llm_api'), url, given)
  return {
    api,
    origin: url.origin,
    path: given === '' ? DEFAULT_PATHS[api] : given,
    model: read('llm_model'),
    models: read('llm_models')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    key: read('llm_api_key'),
    maxSteps: steps(read('chat_max_steps')),
  }
}

/** The settings for a request that names a model. @throws {ChatFailure} with status 400 when the operator does not allow it. */
export function withModel(settings: ModelSettings, wanted: string | undefined): ModelSettings {
  const { model, models } = settings
  if (wanted === undefined || wanted === model) return settings
  if (models.includes('*') || models.includes(wanted)) return { ...settings, model: wanted }
  const allowed = [...new Set([model, ...models])].filter((name) => name !== '').join(', ')
  throw badRequest(
    models.length === 0
      ? 'This chat does not allow a request to choose its model. The variable llm_models allows it.'
      : `model must be one of: ${allowed}.`,
    'model',
  )
}

const DEFAULT_PATHS: Readonly<Record<Api, string>> = { openai: '/v1', ollama: '/api' }

function address(text: string): { url: URL; path: string } {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new ConfigurationError('llm_url', 'must be an address such as http://127.0.0.1:11434')
  }
  if (!/^https?:$/.test(url.protocol)) {
    throw new ConfigurationError('llm_url', 'must begin with http:// or https://')
  }
  // Credentials in the URL would be shown wherever the URL is shown.
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError('llm_url', 'must not have a user; the key is llm_api_key')
  }
  return { url, path: url.pathname }
}

/** Accepts the full path of the request too: its last part is removed. */
function trimmed(path: string): string {
  const bare = path.replace(/\/(chat\/completions|chat)?\/*$/, '')
  return bare === '' || bare.startsWith('/') ? bare : `/${bare}`
}

function apiOf(word: string, url: URL, path: string): Api {
  if (word === 'openai' || word === 'ollama') return word
  if (word !== '' && word !== 'auto') {
    throw new ConfigurationError('llm_api', 'must be auto, openai or ollama')
  }
  // Ollama also serves the OpenAI API at /v1; its native API reports more.
  if (path === '/api') return 'ollama'
  return path === '' && (url.port === OLLAMA_PORT || /\bollama\b/.test(url.hostname))
    ? 'ollama'
    : 'openai'
}

function steps(text: string): number {
  if (text === '') return DEFAULT_STEPS
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= MOST_STEPS) return value
  throw new ConfigurationError('chat_max_steps', `must be a whole number from 1 to ${MOST_STEPS}`)
}
