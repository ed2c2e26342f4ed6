import { describe, expect, test } from 'vitest'
import { Limiter, type Sender } from './limiter.ts'
import { type RateLimitOptions, rateLimitsOf } from './rate-limit-options.ts'

const ADDRESS = '203.0.113.7'

function limiter(options: RateLimitOptions) {
  const clock = { now: 0 }
  const made = new Limiter(rateLimitsOf(options), () => clock.now)
  const send = (sender: Partial<Sender>, answer: { status?: number; principal?: string } = {}) => {
    const from = { credential: undefined, address: ADDRESS, calls: true, ...sender }
    const decision = made.decide(from)
    const { status = 200, principal } = answer
    decision.admission?.answered(status, principal === undefined ? {} : { principal })
    return decision
  }
  /** How many of `count` requests are served. */
  const served = (
    count: number,
    sender: Partial<Sender>,
    answer?: { status?: number; principal?: string },
  ) => {
    let passed = 0
    for (let i = 0; i < count; i++) {
      const { admission } = send(sender, answer)
      if (admission) passed++
      admission?.over()
    }
    return passed
  }
  return { clock, made, send, served }
}

describe('the limit of a caller', () => {
  test('is shared by all credentials of a principal, once the gateway has named it', () => {
    const { send, served } = limiter({ rateLimit: '10/m' })
    send({ credential: 'token 1', address: '198.51.100.1' }, { principal: 'ada' })
    send({ credential: 'token 2', address: '198.51.100.2' }, { principal: 'ada' })
    const first = served(6, { credential: 'token 1' }, { principal: 'ada' })
    const second = served(9, { credential: 'token 2' }, { principal: 'ada' })
    expect(first + second).toBe(10)
  })

  test('does not begin again with each invented credential', () => {
    const { served } = limiter({ rateLimit: '10/m', rateLimitFailures: 'none' })
    let passed = 0
    for (let i = 0; i < 100; i++)
      passed += served(1, { credential: `forged ${i}` }, { status: 401 })
    expect(passed).toBe(10)
  })

  test('of a principal is not used up by others at the same address', () => {
    const { send, served } = limiter({ rateLimit: '10/m' })
    send({ credential: 'good' }, { principal: 'ada' })
    served(50, {})
    expect(served(10, { credential: 'good' }, { principal: 'ada' })).toBe(10)
  })

  test('counts programs of this machine together', () => {
    const { served } = limiter({ rateLimit: '10/m' })
    expect(served(30, { address: undefined })).toBe(10)
  })

  test('counts every call of a request with several', () => {
    const { made, served } = limiter({ rateLimit: '10/m' })
    const { admission } = made.decide({ credential: undefined, address: ADDRESS, calls: true })
    admission?.answered(200, { calls: 8 })
    admission?.over()
    expect(served(10, {})).toBe(2)
  })
})

describe('failed authentications', () => {
  const forged = { credential: 'forged' }

  test('are limited without any option', () => {
    const { served, send } = limiter({})
    expect(served(100, forged, { status: 401 })).toBe(60)
    const { refusal } = send(forged)
    expect(refusal).toMatchObject({ by: 'failures', retryAfter: 1 })
    expect(refusal?.message).toContain('60 failed authentications per minute')
  })

  test('do not lock out a caller whose credential is known, nor other addresses', () => {
    const { send, served } = limiter({})
    send({ credential: 'good' }, { principal: 'ada' })
    served(100, forged, { status: 401 })
    expect(served(5, { credential: 'good' }, { principal: 'ada' })).toBe(5)
    expect(served(5, { credential: 'new', address: '198.51.100.2' })).toBe(5)
  })

  test('that are sent at once count before they are answered', () => {
    const { made } = limiter({ rateLimitFailures: '5/m' })
    const all = Array.from({ length: 50 }, (_, i) =>
      made.decide({ credential: `forged ${i}`, address: ADDRESS, calls: true }),
    )
    expect(all.filter(({ admission }) => admission)).toHaveLength(5)
  })

  test('are not what many requests with one new credential are', () => {
    const { made } = limiter({ rateLimitFailures: '5/m' })
    const all = Array.from({ length: 50 }, () =>
      made.decide({ credential: 'new', address: ADDRESS, calls: true }),
    )
    expect(all.every(({ admission }) => admission)).toBe(true)
    for (const { admission } of all) admission?.answered(401, {})
    for (const { admission } of all) admission?.over()
    // Each of them failed, and is counted now.
    expect(made.decide({ credential: 'new', address: ADDRESS, calls: true }).refusal).toMatchObject(
      {
        by: 'failures',
        retryAfter: 46 * 12,
      },
    )
  })

  test('are not what a request is that was accepted, or that got no answer', () => {
    const { made, served } = limiter({ rateLimitFailures: '5/m' })
    for (let i = 0; i < 20; i++) {
      made.decide({ credential: `x ${i}`, address: ADDRESS, calls: true }).admission?.over()
    }
    expect(served(20, { credential: 'accepted' })).toBe(20)
  })

  test('make a known credential unknown: it was revoked', () => {
    const { send, made } = limiter({})
    const ada = { credential: 'good' }
    send(ada, { principal: 'ada' })
    expect(send(ada, { status: 401 }).principal).toBe('ada')
    expect(made.decide({ ...ada, address: ADDRESS, calls: true }).principal).toBeUndefined()
  })
})

describe('calls at once', () => {
  test('are limited for each caller, and free when they end', () => {
    const { send } = limiter({ maxCallsPerCaller: 2 })
    const running = [send({}), send({})]
    expect(send({}).refusal).toMatchObject({ by: 'calls' })
    expect(send({ calls: false }).admission).toBeDefined()
    expect(send({ address: '198.51.100.2' }).admission).toBeDefined()
    running[0]?.admission?.over()
    expect(send({}).admission).toBeDefined()
    expect(send({}).refusal).toBeDefined()
  })
})

describe('the headers', () => {
  test('name each policy and what is left of it', () => {
    const { send } = limiter({ rateLimit: '10/m', rateLimitAddress: '100/h' })
    expect(send({}).headers).toEqual([
      ['ratelimit-policy', '"caller";q=10;w=60, "address";q=100;w=3600'],
      ['ratelimit', '"caller";r=9;t=6, "address";r=99;t=36'],
    ])
  })

  test('of a refusal say when to come again', () => {
    const { clock, send, served } = limiter({ rateLimit: '10/m' })
    served(10, {})
    clock.now = 1000
    const { refusal, headers } = send({})
    expect(refusal).toMatchObject({ by: 'caller', retryAfter: 5 })
    expect(headers).toContainEqual(['ratelimit', '"caller";r=0;t=5'])
    clock.now = 6000
    expect(send({}).admission).toBeDefined()
  })

  test('are absent where nothing is limited', () => {
    expect(limiter({}).send({}).headers).toEqual([])
  })
})

test.each(['600', '0/m', '600/y', '-1/s', '1e3/m', '99999999999/m', ''])(
  '%j is not a rate',
  (rateLimit) => {
    expect(() => rateLimitsOf({ rateLimit })).toThrow('such as 600/m')
  },
)

test('a burst without a rate is refused, because it would limit nothing', () => {
  expect(() => rateLimitsOf({ burst: 5 })).toThrow('burst has no effect')
})
