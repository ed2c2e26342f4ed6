import { expect, test } from 'vitest'
import { problemForClients } from './clients-reading.ts'
import { readFrontMatter } from './front-matter.ts'

async function problem(...lines: string[]): Promise<string | undefined> {
  const text = ['---', 'name: refunds', 'description: x', ...lines, '---', '# Body', ''].join('\n')
  const read = readFrontMatter(text, 'refunds')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return problemForClients(text, read.frontmatter)
}

test('usual front matter is read by clients as it is written', async () => {
  const values = [
    'MIT',
    '1',
    '0x1F',
    '1e3',
    'true',
    'yes',
    '~',
    '2026-01-01',
    '"a: b"',
    "'it''s'",
    '[a, "b"]',
    'a # note',
  ]
  const lines = values.map((value, index) => `field${index}: ${value}`)
  expect(
    await problem(
      ...lines,
      'a: |',
      '  a',
      '  b',
      'b: >-',
      '  a',
      '',
      '  b',
      'c:',
      '  - d: e',
      'é: f',
    ),
  ).toBeUndefined()
})

test.each([
  [['license: &a MIT'], 'line 4: anchors, aliases and tags are not supported'],
  [['license: !!str MIT'], 'line 4: anchors, aliases and tags are not supported'],
  [['license: "MIT', '  or not"'], 'line 4: a quoted value must close on the same line'],
  [['1: MIT'], 'line 4: key "1" must be a string; quote it'],
  [['license: |2', '   MIT'], 'line 4: block scalar indentation indicators are not supported'],
])('%j is valid YAML that clients do not read', async (lines, message) => {
  expect(await problem(...lines)).toContain(
    `clients of MCP do not read its front matter: ${message}`,
  )
})
