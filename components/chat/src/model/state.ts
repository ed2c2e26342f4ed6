/**
 * Whether there is a model to talk to, and which.
 *
 * @module
 */
import { ConfigurationError } from 'ftl-gateway/access'
import { readText } from 'ftl-gateway/http'
import type { Platform } from 'ftl-platform'
import { ChatFailure } from '../failure.ts'
import { type Api, modelSettings, type ModelSettings } from '../settings.ts'
import { fetchUntilBegun } from './network.ts'
import { notFound, refusedBy, unreachable, withoutKey } from './refused.ts'
import { authorization, WIRES } from './wires.ts'

/** Long enough for a server far away, short enough for a page that waits. */
const LIST_TIMEOUT_MS = 5_000
const LIST_LIMIT = 4 * 1024 * 1024

/** Answer of `GET /api/chat`. Neither key nor address. */
export interface ModelState {
  configured: boolean
  /** Empty where it is not known. */
  model: string
  api: Api | ''
  /** Why not. */
  reason?: string
  /** What to do about it. */
  how?: string
}

/** Asks the server for its models, now. */
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
    return { configured: true, model, api }
  } catch (error) {
    if (!(error instanceof ChatFailure)) throw error
    return { configured: false, model: settings.model, api, ...split(error.message) }
  }
}

/**
 * The model to ask: `llm_model`, or the first there is.
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
  // A server without such a list may still have the model it was told.
  const found = choose(settings, models) ?? (models.length === 0 ? model : '')
  if (found !== '') return found
  const what = model === '' ? 'llm_model is not set.' : `There is no model "${model}".`
  throw notFound(what, '', models)
}

/** The names of the models there are; none where the server does not say. */
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

/** `llm_model`, with the tag the server lists it under; without one the first there is. */
export function choose({ model }: ModelSettings, models: readonly string[]): string | undefined {
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

/** The first sentence is why, the rest what to do. */
function split(message: string): { reason: string; how?: string } {
  const [, reason = message, how] = /^(.*?[^.]\.)\s+([A-Z].*)$/s.exec(message) ?? []
  return { reason, ...(how !== undefined && { how }) }
}
