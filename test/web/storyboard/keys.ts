/** Who may use the guarded gateway, and what is asked about. */
import { createHash } from 'node:crypto'

const digest = (text: string, as: 'hex' | 'base64url') =>
  createHash('sha256').update(text).digest(as)

export const KEY = `ftl_${digest('ada', 'base64url')}`

export const GUARDED = {
  api_keys: JSON.stringify([{ sha256: digest(KEY, 'hex'), principal: 'ada', scopes: [] }]),
  policy: JSON.stringify({
    rules: [{ effect: 'ask', tools: ['remove_city'] }, { effect: 'allow' }],
  }),
}
