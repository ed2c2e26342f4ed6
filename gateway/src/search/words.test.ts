import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stem, wordsOf } from './words.ts'

describe('wordsOf', () => {
  it('splits identifiers', () => {
    for (const text of ['pull_request', 'pull-request', 'PULL.REQUEST', 'pull request']) {
      expect(wordsOf(text, 9)).toEqual(wordsOf('pull request', 9))
    }
    expect(wordsOf('createPullRequest', 9)).toEqual(wordsOf('create pull request', 9))
    expect(wordsOf('parseHTTPHeader', 9)).toEqual(wordsOf('parse http header', 9))
  })

  it('keeps a name of two parts also as one word', () => {
    for (const [text, word] of [
      ['GitHub', 'github'],
      ['S3', 's3'],
      ['oauth2', 'oauth2'],
    ]) {
      expect(wordsOf(text as string, 9)).toContain(word)
    }
  })

  it('leaves out words without a meaning and words too long to be one', () => {
    expect(wordsOf(`the of and ${'x'.repeat(41)}`, 9)).toEqual([])
  })

  it('returns at most as many words as it may', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(20), (text, limit) => {
        expect(wordsOf(text.repeat(5), limit).length).toBeLessThanOrEqual(limit)
      }),
    )
  })

  it('returns only words that a line of the index can begin with', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of wordsOf(text, 50)) expect(word).toMatch(/^[a-z0-9\u00aa-\uffff]{1,40}$/)
      }),
    )
  })
})

describe('stem', () => {
  it.each([
    ['file', 'files'],
    ['category', 'categories'],
    ['address', 'addresses'],
    ['branch', 'branches'],
    ['search', 'searches', 'searching', 'searched'],
    ['create', 'creates', 'creating', 'created', 'creation'],
    ['translate', 'translation', 'translations', 'translating'],
    ['cancel', 'cancelled', 'canceling', 'cancellation'],
    ['notify', 'notification', 'notifications', 'notified'],
    ['summary', 'summarize', 'summarise', 'summaries'],
    ['invoice', 'invoices', 'invoicing'],
    ['plan', 'plans', 'planning', 'planned'],
    ['resize', 'resizing', 'resized'],
    ['approve', 'approval', 'approved'],
    ['pay', 'payment', 'payments', 'paying'],
  ])('gives the forms of %s one stem', (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1)
  })

  it.each([
    ['status', 'state'],
    ['user', 'use'],
    ['order', 'ordinal'],
    ['page', 'pager'],
    ['number', 'name'],
    ['message', 'merge'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(stem(one)).not.toBe(stem(other))
  })

  it('leaves every other script as it is', () => {
    for (const word of ['größe', '東京', 'éteint', 's3']) expect(stem(word)).toBe(word)
  })
})
