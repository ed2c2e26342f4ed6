import { describe, expect, it } from 'vitest'
import { type Check, type Expectations, judge, type Scenario } from './judge.ts'

const check = (id: string, status: Check['status'], errorMessage?: string): Check => ({
  id,
  status,
  ...(errorMessage === undefined ? {} : { errorMessage }),
})

const PING: Scenario = { name: 'ping', checks: [check('ping', 'SUCCESS')] }
const TOOLS: Scenario = {
  name: 'tools',
  checks: [check('list', 'SUCCESS'), check('order', 'SUCCESS')],
}

const EXPECTATIONS: Expectations = {
  scored: ['ping', 'tools'],
  scoredCount: 2,
  expectedFailures: [],
  expectedSkips: [],
  required: [],
}

function problems(scenarios: Scenario[], expectations: Partial<Expectations> = {}): string[] {
  return judge(scenarios, { ...EXPECTATIONS, ...expectations }).problems.map(
    ({ where, message }) => `${where}: ${message}`,
  )
}

const broken: Scenario = {
  name: 'tools',
  checks: [check('list', 'SUCCESS'), check('order', 'FAILURE', 'not the same order')],
}
const doubtful: Scenario = {
  name: 'tools',
  checks: [check('list', 'SUCCESS'), check('order', 'WARNING', 'should be the same order')],
}

describe('a run of the suite', () => {
  it('is as expected when everything scored passes', () => {
    expect(judge([PING, TOOLS], EXPECTATIONS)).toEqual({
      passed: 2,
      scored: 2,
      problems: [],
      known: [],
      unscored: [],
    })
  })

  it('has a problem with each check that fails, and the scenario is not counted', () => {
    expect(problems([PING, broken])).toEqual(['tools:order: FAILURE: not the same order'])
    expect(judge([PING, broken], EXPECTATIONS)).toMatchObject({ passed: 1, scored: 2 })
  })

  it('has a problem with a warning, although the suite counts the scenario as passed', () => {
    expect(problems([PING, doubtful])).toEqual(['tools:order: WARNING: should be the same order'])
    expect(judge([PING, doubtful], EXPECTATIONS)).toMatchObject({ passed: 2, scored: 2 })
  })

  it('takes the message of a warning from its details where it has no other', () => {
    const { checks } = doubtful
    const told = { id: 'order', status: 'WARNING' as const, details: { message: 'no session' } }
    expect(problems([PING, { name: 'tools', checks: [...checks.slice(0, 1), told] }])).toEqual([
      'tools:order: WARNING: no session',
    ])
  })

  it('has a problem when a scored scenario did not run or checked nothing', () => {
    expect(problems([PING])).toEqual(['tools: was not run'])
    const skipped = { name: 'tools', checks: [check('list', 'SKIPPED'), check('order', 'INFO')] }
    expect(problems([PING, skipped])).toEqual(['tools: checked nothing'])
    expect(problems([PING, { name: 'tools', checks: [] }])).toEqual(['tools: checked nothing'])
  })

  it('has a problem when the suite scores more or fewer scenarios than it did', () => {
    expect(problems([PING, TOOLS], { scoredCount: 3 })).toEqual([
      'requirements: 2 scenarios are scored, expected 3',
    ])
    expect(problems([PING, TOOLS], { scoredCount: 1 })).toHaveLength(1)
  })
})

describe('the baseline', () => {
  const expectedFailures = ['tools:order']

  it('excuses a failure and a warning', () => {
    for (const scenario of [broken, doubtful]) {
      const { problems, known } = judge([PING, scenario], { ...EXPECTATIONS, expectedFailures })
      expect(problems).toEqual([])
      expect(known.map(({ where }) => where)).toEqual(['tools:order'])
    }
  })

  it('excuses no other check of the scenario', () => {
    const worse = { ...broken, checks: [check('list', 'FAILURE'), ...broken.checks.slice(1)] }
    expect(problems([PING, worse], { expectedFailures })).toEqual([
      'tools:list: FAILURE: no message',
    ])
  })

  it('is stale when a check it names passes, is gone or never was', () => {
    for (const entry of ['tools:order', 'tools:nothing', 'nothing:order']) {
      expect(problems([PING, TOOLS], { expectedFailures: [entry] })).toEqual([
        `${entry}: is expected to fail and did not: remove it from the baseline`,
      ])
    }
  })
})

describe('a scenario that is not scored', () => {
  const extra = (status: Check['status']): Scenario => ({
    name: 'extra',
    checks: [check('extra', status, 'why')],
  })

  it('may fail, and is named', () => {
    for (const [status, outcome] of [
      ['SUCCESS', 'passed'],
      ['FAILURE', 'failed'],
      ['SKIPPED', 'skipped'],
    ] as const) {
      const verdict = judge([PING, TOOLS, extra(status)], EXPECTATIONS)
      expect(verdict).toMatchObject({ problems: [], unscored: [{ name: 'extra', outcome }] })
    }
  })

  it('must pass where we require it', () => {
    const required = ['extra']
    expect(problems([PING, TOOLS, extra('SUCCESS')], { required })).toEqual([])
    expect(problems([PING, TOOLS, extra('FAILURE')], { required })).toEqual([
      'extra:extra: FAILURE: why',
    ])
    expect(problems([PING, TOOLS, { name: 'extra', checks: [] }], { required })).toEqual([
      'extra: checked nothing',
    ])
    expect(problems([PING, TOOLS], { required })).toEqual(['extra: was not run'])
  })

  it('must have each of its checks made where we require it', () => {
    const required = ['extra']
    const [made] = extra('SUCCESS').checks
    const half = { name: 'extra', checks: [made!, check('rest', 'SKIPPED', 'not offered')] }
    expect(problems([PING, TOOLS, half], { required })).toEqual([
      'extra:rest: SKIPPED: not offered',
    ])
    expect(problems([PING, TOOLS, extra('SKIPPED')], { required })).toEqual([
      'extra:extra: SKIPPED: why',
    ])
  })

  it('may be excused while the suite skips it, and from nothing else', () => {
    const expectations = { required: ['extra'], expectedSkips: ['extra:extra'] }
    const skipped = judge([PING, TOOLS, extra('SKIPPED')], { ...EXPECTATIONS, ...expectations })
    expect(skipped).toMatchObject({ problems: [], known: [{ where: 'extra:extra' }] })
    expect(problems([PING, TOOLS, extra('SUCCESS')], expectations)).toEqual([
      'extra:extra: is expected to be skipped and was not: require it',
    ])
    expect(problems([PING, TOOLS, extra('FAILURE')], expectations)).toContain(
      'extra:extra: FAILURE: why',
    )
  })
})
