/** The feature that limits what one caller may call and start: `calls_per_minute`, `jobs_per_day`. */
import type { Feature } from '../feature.ts'
import { isLimited, limitCall } from './limit-call.ts'

export const limits: Feature = {
  name: 'limits',
  around: (client, call, next) =>
    isLimited(client.scope) ? limitCall(client, call, () => next(call)) : undefined,
}
