import type { Limits } from './limits.ts'

type Reason = (limits: Limits) => [name: string, message: string]

/** Why the engine ends a program. */
export const END_REASONS = {
  time: ({ compute_ms: ms }) => [
    'TimeoutError',
    `the program has computed for more than ${ms} ms, and was ended. Compute less, or let a tool do it`,
  ],
  messages: () => ['RangeError', 'the program has posted more than 8 MB at once, and was ended'],
  failed: ({ memory_mb: mb }) => [
    'RangeError',
    `the program has no memory or stack left, and was ended. It may use ${mb} MB`,
  ],
} satisfies Record<string, Reason>

export const overTime = ({ wall_ms: ms }: Limits) =>
  `the program has not ended after ${ms} ms. Start fewer calls, or raise wall_ms`
