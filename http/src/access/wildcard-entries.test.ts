import { describe, expect, it } from 'vitest'
import { matches } from './wildcard-entries.ts'

describe('an entry of a list', () => {
  it.each([
    ['*', 'whatever'],
    ['a.example', 'a.example'],
    ['*.example.com', 'a.example.com'],
    ['*.example.com', 'a.b.example.com'],
    ['*.example.com:8443', 'a.example.com:8443'],
    ['https://*.example.com', 'https://a.example.com'],
    ['https://a.example:8443', 'https://a.example:8443'],
  ])('%s covers %s', (entry, value) => {
    expect(matches(['other', entry], value)).toBe(true)
  })

  it.each([
    ['a.example', 'b.example'],
    ['a.example', 'xa.example'],
    ['a.example', 'a.example.evil'],
    ['*.example.com', 'example.com'],
    ['*.example.com', '.example.com'],
    ['*.example.com', 'badexample.com'],
    ['*.example.com', 'a.example.com.evil'],
    ['*.example.com', 'a.example.com:8443'],
    ['https://*.example.com', 'http://a.example.com'],
    ['https://*.example.com', 'https://evil.test/.example.com'],
    ['https://*.example.com', 'https://evil.test#.example.com'],
    ['https://*.example.com', 'https://evil.test@a.example.com'],
    ['https://*.example.com', 'https://.example.com'],
    ['https://a.example', 'https://a.example:8443'],
  ])('%s does not cover %s', (entry, value) => {
    expect(matches([entry], value)).toBe(false)
  })

  it('may cover any of several ways to write a value', () => {
    expect(matches(['a.example'], 'a.example:3000', 'a.example')).toBe(true)
    expect(matches(['a.example:80'], 'a.example:3000', 'a.example')).toBe(false)
  })

  it('covers nothing when there is none', () => {
    expect(matches([], 'a', '')).toBe(false)
  })
})
