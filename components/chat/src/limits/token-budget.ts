/**
 * Tokens of models that one caller may use per day (`chat_tokens_per_day`).
 *
 * The count is coarse: a chat counts when it ends, and two chats that end at once may count as one. The store has 4096
 * places, and a caller's digest chooses one, so callers cannot fill it.
 */
import { isObject } from 'ftl-contract'
import { ConfigurationError, sha256 } from 'ftl-http'
import type { KeyValue, Platform } from 'ftl-platform'
import { jsonOf } from 'ftl-platform'
import { ChatFailure } from '../failure.ts'

export interface TokenBudget {
  /** @throws {ChatFailure} with status 429 when nothing is left. */
  check(): Promise<void>
  spend(tokens: number): Promise<void>
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const VARIABLE = 'chat_tokens_per_day'

/** Callers who are not known count together. */
const ANYONE = ''

/** @returns `undefined` where there is no limit. @throws {ConfigurationError} */
export async function tokenBudget(
  platform: Platform,
  principal: string | undefined,
): Promise<TokenBudget | undefined> {
  const limit = limitOf(platform.variables.get(VARIABLE) ?? '')
  if (limit === 0) return undefined
  const store = await openStore(platform)
  const who = await sha256(principal ?? ANYONE)
  const key = `tokens:${who.slice(0, 3)}`
  const day = () => Math.floor(platform.now() / DAY_MS)
  const used = async () => usedIn(jsonOf(await store.get(key)), who, day())
  return {
    async check() {
      if ((await used()) < limit) return
      const hours = Math.ceil(((day() + 1) * DAY_MS - platform.now()) / HOUR_MS)
      const message = `You have used up your ${limit} tokens per day. Retry in ${hours} h.`
      throw new ChatFailure(429, 'limit_reached', message)
    },
    async spend(tokens) {
      const spent = (await used()) + tokens
      await store.set(key, JSON.stringify({ who, day: day(), spent }))
    },
  }
}

function limitOf(text: string): number {
  if (/^\d{0,12}$/.test(text.trim())) return Number(text)
  throw new ConfigurationError(VARIABLE, 'must be a whole number, or 0 for no limit')
}

async function openStore(platform: Platform): Promise<KeyValue> {
  try {
    return await platform.openKeyValue('default')
  } catch {
    throw new ConfigurationError(
      VARIABLE,
      'needs a key-value store: add key_value_stores = ["default"] to the component chat',
    )
  }
}

function usedIn(kept: unknown, who: string, day: number): number {
  if (!isObject(kept) || kept.who !== who || kept.day !== day) return 0
  return typeof kept.spent === 'number' ? kept.spent : 0
}
