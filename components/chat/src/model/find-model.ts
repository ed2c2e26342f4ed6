/** Finds the model to use, or why none is available. */
import { ConfigurationError, readText } from 'ftl-http'
import type { Platform } from 'ftl-platform'
import { ChatFailure } from '../failure.ts'
import { type Api, modelSettings, type ModelSettings } from '../settings.ts'
import { fetchUntilBegun } from './network.ts'
import { notFound, refusedBy, unreachable, withoutKey } from './refused.ts'
import { authorization, WIRES } from './wires.ts'

/** Long enough for a remote server, short enough for a page that waits for it. */
const LIST_TIMEOUT_MS = 5_000
const LIST_LIMIT = 4 * 1024 * 1024

/** Response of `GET /api/chat`. It contains neither the key nor the address. */
export interface ModelState {
  configured: boolean
  /** Empty if unknown. */
  model: string
  api: Api | ''
  /** Models that a request may choose, if the operator allows any; `*` = every model of the server. */
  models?: readonly string[]
  /** Why `configured` is false. */
  reason?: string
  /** What to do about it. */
  how?: string
}

/** Requests the server's models; nothing is cached. */
export async function modelState(platform: Platform): Promise<ModelState> {
  let settings: ModelSettings
  try {
    settings = modelSettings(platform.variables)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return { configured: false, model: '', api: '', ...split(error.message) }
  }
  const { api } = settings
  try {
    const model = await findModel(platform, settings, new AbortController().signal)
    const { models } = settings
    return { configured: true, model, api, ...(models.length > 0 && { models }) }
  } catch (error) {
    if (!(error instanceof ChatFailure)) throw error
    return { configured: false, model: settings.model, api, ...split(error.message) }
  }
}

/**
 * Returns the model to use: `llm_model`, or the server's first model.
 *
 * @throws {ChatFailure} saying what to do.
 */
export async function findModel(
  platform: Pick<Platform, 'fetch'>,
  settings: ModelSettings,
  signal: AbortSignal,
): Promise<string> {
  const { model } = settings
  let response: Response
  try {
    response = await fetchList(platform, settings, signal)
  } catch (error) {
    if (signal.aborted) throw error
    throw unreachable(settings)
  }
  if (response.status === 401 || response.status === 403) {
    throw withoutKey(await refusedBy(response, settings, model, async () => []), settings.key)
  }
  const models = response.ok ? await namesIn(response, settings) : []
  // A server that lists no models may still have the one in `llm_model`.
  const found = choose(settings, models) ?? (models.length === 0 ? model : '')
  if (found !== '') return found
  const what = model === '' ? 'llm_model is not set.' : `There is no model "${model}".`
  throw notFound(what, '', models)
}

/** Names of the server's models; empty if it does not list them. */
export async function listModels(
  platform: Pick<Platform, 'fetch'>,
  settings: ModelSettings,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const response = await fetchList(platform, settings, signal)
    return response.ok ? await namesIn(response, settings) : []
  } catch {
    return []
  }
}

/** `llm_model` with the tag the server lists it under; if it is empty, the first model. */
function choose({ model }: ModelSettings, models: readonly string[]): string | undefined {
  if (model === '') return models[0]
  return models.find((name) => name === model || name === `${model}:latest`)
}

function fetchList(
  platform: Pick<Platform, 'fetch'>,
  settings: ModelSettings,
  signal: AbortSignal,
): Promise<Response> {
  const url = `${settings.origin}${settings.path}${WIRES[settings.api].modelsPath}`
  const headers = { accept: 'application/json', ...authorization(settings) }
  return fetchUntilBegun(platform, url, { headers, signal, timeoutMs: LIST_TIMEOUT_MS })
}

async function namesIn(response: Response, { api }: ModelSettings): Promise<string[]> {
  try {
    return WIRES[api].models(JSON.parse(await readText(response, { limit: LIST_LIMIT })))
  } catch {
    return []
  }
}

/** Splits an error: its first sentence is the reason, the rest says what to do. */
function split(message: string): { reason: string; how?: string } {
  const [, reason = message, how] = /^(.*?[^.]\.)\s+([A-Z].*)$/s.exec(message) ?? []
  return { reason, ...(how !== undefined && { how }) }
}
