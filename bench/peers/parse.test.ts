import { describe, expect, it } from 'vitest'
import { echoIn, residentBytes, versionIn } from './parse.ts'

describe('versionIn', () => {
  it.each([
    ['4.2.3\n', '4.2.3'],
    ['fastmcp v4.2.3 (released today)', '4.2.3'],
    ['spin 4.1.0-pre0 (1234567 2026-01-02)', '4.1.0-pre0'],
    ['1.0.7.post20260921', '1.0.7.post20260921'],
  ])('finds it in %j', (text, version) => {
    expect(versionIn(text)).toBe(version)
  })

  it('finds none in a text without one', () => {
    expect(versionIn('command not found: 127')).toBeUndefined()
  })
})

describe('residentBytes', () => {
  it('reads kibibytes', () => {
    expect(residentBytes('Name:\tnode\nVmHWM:\t  900 kB\nVmRSS:\t  512 kB\n')).toBe(524_288)
  })

  it('is 0 for a process that has ended', () => {
    expect(residentBytes('')).toBe(0)
  })
})

describe('echoIn', () => {
  it.each([
    [['dead', 'echo', 'echo-2__echo'], 'echo'],
    [['b10-echo-10', 'b9-echo-9'], 'b9-echo-9'],
    [['echo_10', 'b1_echo_1'], 'b1_echo_1'],
    [['echo_10', 'sum'], undefined],
  ])('of %j takes %s', (tools, tool) => {
    expect(echoIn(tools)).toBe(tool)
  })
})
