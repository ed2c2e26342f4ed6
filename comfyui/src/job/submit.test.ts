import { describe, expect, it } from 'vitest'
import { withUniquePrefix } from './submit.ts'
import { processorMs } from '../../../test/support/processor-time.ts'

const ID = '1f2e3d4c-0000-4000-8000-000000000000'
const prefixed = (prefix: unknown): unknown => {
  const text = JSON.stringify({ 9: { inputs: { filename_prefix: prefix } } })
  const node = JSON.parse(withUniquePrefix(text, ID)) as { 9: { inputs: Record<string, unknown> } }
  return node[9].inputs['filename_prefix']
}

describe('the prefix of a job’s files', () => {
  it.each([
    ['mcp/image', 'mcp/image-1f2e3d4c'],
    ['', '1f2e3d4c'],
    ['mcp/', 'mcp/1f2e3d4c'],
    ['mcp\\', 'mcp\\1f2e3d4c'],
    ['a "quoted" name', 'a "quoted" name-1f2e3d4c'],
    ['%year%-%month%/image', '%year%-%month%/image-1f2e3d4c'],
    // ComfyUI writes a file with two dots in its name, and refuses to give it.
    ['mcp/v1..2', 'mcp/v1.2-1f2e3d4c'],
    ['a/../b...c', 'a/../b.c-1f2e3d4c'],
    ['..\\x', '..\\x-1f2e3d4c'],
  ])('%j ends with the job’s id', (prefix, expected) => {
    expect(prefixed(prefix)).toBe(expected)
  })

  it('that another node provides stays a link', () => {
    expect(prefixed(['7', 0])).toEqual(['7', 0])
  })

  it('leaves every other byte as it is, also texts that look like a prefix', () => {
    const text = JSON.stringify({ text: '"filename_prefix": "x"', filename: 'filename_prefix' })
    const whole = `{ "1": {"seed":18446744073709551615, "cfg":1.0}, "2": ${text}}`
    expect(withUniquePrefix(whole, ID)).toBe(whole)
  })

  it('is found in linear time', () => {
    const startedAt = processorMs()
    withUniquePrefix(`"filename_prefix":"${'\\\\'.repeat(500_000)}`, ID)
    withUniquePrefix('"filename_prefix"'.repeat(50_000), ID)
    expect(processorMs() - startedAt).toBeLessThan(1000)
  })
})
