import { describe, expect, it } from 'vitest'
import { audit, type Evidence } from './audit.ts'
import type { Revision, Rule } from './rule.ts'

const RULE: Rule = {
  id: 'http.get',
  revisions: ['2026-07-28'],
  level: 'MUST',
  rule: 'GET is answered with 405.',
  source: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#get',
}
const EVIDENCE: Evidence = {
  citations: [{ id: 'http.get', at: 'a.test.ts:1' }],
  scenarios: new Set(['ping']),
  headingsOf: () => new Set(['errors']),
}
const uncited = { ...EVIDENCE, citations: [] }
const of = (change: Partial<Rule>, evidence = EVIDENCE) => audit([{ ...RULE, ...change }], evidence)

describe('all is well', () => {
  it('with a rule that a test names', () => {
    expect(audit([RULE], EVIDENCE)).toEqual([])
  })

  it('with a rule that a scenario of the conformance suite holds', () => {
    expect(of({ conformance: 'ping' }, uncited)).toEqual([])
  })

  it('with a rule that says why it is not met', () => {
    expect(of({ unmet: 'because' }, uncited)).toEqual([])
  })

  it('with a rule of a document of our own', () => {
    expect(of({ source: 'docs/guide.md#errors' })).toEqual([])
  })
})

describe('it is told', () => {
  it('that no test names a rule', () => {
    expect(audit([RULE], uncited)).toEqual(['http.get is held by no test'])
  })

  it('that a test names a rule that is not there', () => {
    const citations = [...EVIDENCE.citations, { id: 'http.put', at: 'b.test.ts:7' }]
    expect(audit([RULE], { ...EVIDENCE, citations })).toEqual([
      'b.test.ts:7 names the rule http.put, which is not there',
    ])
  })

  it('that a rule is there twice', () => {
    expect(audit([RULE, RULE], EVIDENCE)).toEqual(['http.get is there twice'])
  })

  it.each([
    ['', /no usable source/],
    ['https://example.com/specification', /no usable source/],
    ['the specification', /no usable source/],
    ['https://modelcontextprotocol.io/specification/2024-11-05/basic#get', /cites 2024-11-05/],
    ['docs/guide.md#nowhere', /a heading that is not there/],
  ])('that the source "%s" leads nowhere', (source, problem) => {
    expect(of({ source })).toEqual([expect.stringMatching(problem)])
  })

  it('that a rule has no revision, or one that does not exist', () => {
    expect(of({ revisions: [] })).toContain('http.get has no revision')
    const revisions = ['2026-07-28', '2026-02-30'] as unknown as Revision[]
    expect(of({ revisions })).toEqual(['http.get has the unknown revision 2026-02-30'])
  })

  it('that a scenario does not exist', () => {
    expect(of({ conformance: 'pong' })).toEqual([expect.stringMatching(/scenario pong/)])
  })

  it('that a rule is both not met and held', () => {
    expect(of({ unmet: 'because' })).toEqual([expect.stringMatching(/yet a test holds it/)])
  })

  it('that a rule is not met without a reason', () => {
    expect(of({ unmet: ' ' }, uncited)).toEqual([expect.stringMatching(/without a reason/)])
  })

  it('that an id could not be named in a title', () => {
    const citations = [{ id: 'Http', at: 'a.test.ts:1' }]
    expect(of({ id: 'Http' }, { ...EVIDENCE, citations })).toEqual([
      expect.stringMatching(/chapter\.what-it-asks/),
    ])
  })
})
