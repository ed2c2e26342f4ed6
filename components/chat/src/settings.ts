/**
 * Which model is asked, and how: the variables `llm_url`, `llm_path`, `llm_model`, `llm_api_key`, `llm_api` and
 * `chat_max_steps`.
 *
 * @module
 */
import { ConfigurationError } from 'ftl-gateway/access'
import type { Variables } from 'ftl-platform'

/** The two ways models are spoken to: chat completions, and Ollama's own. */
export type Api = 'openai' | 'ollama'

export interface ModelSettings {
  api: Api
  /** `llm_url`: scheme, host and port. `allowed_outbound_hosts` takes it from there, which knows no paths. */
  origin: string
  /** What comes before `/chat/completions` or `/chat`: `/v1` or `/api`, if `llm_path` does not say another. */
  path: string
  /** `llm_model`; empty = the first the server has. */
  model: string
  /** `llm_api_key`. Never shown, and taken out of whatever the server says. */
  key: string
  /** `chat_max_steps`: how often the model may ask for tools in one answer. */
  maxSteps: number
}

/** Where Ollama listens. @see https://docs.ollama.com/faq */
const OLLAMA_PORT = '11434'
const DEFAULT_URL = `http://127.0.0.1:${OLLAMA_PORT}`
const DEFAULT_STEPS = 8
const MOST_STEPS = 50

/** @throws {ConfigurationError} naming the variable and what it may be. */
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
    key: read('llm_api_key'),
    maxSteps: steps(read('chat_max_steps')),
  }
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
  // A user in an address would be shown wherever the address is.
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError('llm_url', 'must not have a user; the key is llm_api_key')
  }
  return { url, path: url.pathname }
}

/** Also where somebody has given the whole address of the request. */
function trimmed(path: string): string {
  const bare = path.replace(/\/(chat\/completions|chat)?\/*$/, '')
  return bare === '' || bare.startsWith('/') ? bare : `/${bare}`
}

function apiOf(word: string, url: URL, path: string): Api {
  if (word === 'openai' || word === 'ollama') return word
  if (word !== '' && word !== 'auto') {
    throw new ConfigurationError('llm_api', 'must be auto, openai or ollama')
  }
  // Ollama also answers as OpenAI does, below /v1; its own way tells more.
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
