import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFrontMatter } from './front-matter.ts'

const GOOD = `---
name: refunds
description: >-
  How to refund,
  and when
license: MIT
metadata:
  version: "1.2"
  days: "30"
version: 2
---
# Refunds
`

const problems = (text: string, folder = 'refunds') => {
  const read = readFrontMatter(text, folder)
  return 'problems' in read ? read.problems.map(({ line, message }) => `${line}: ${message}`) : []
}

const changed = (from: string, to: string) => {
  expect(GOOD).toContain(from)
  return problems(GOOD.replace(from, to))
}

describe('the front matter of SKILL.md', () => {
  test.each([
    ['as it is', GOOD],
    ['with CR LF', GOOD.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\ufeff${GOOD}`],
  ])('is read %s, with every field', (_, text) => {
    expect(readFrontMatter(text, 'refunds')).toEqual({
      frontmatter: {
        name: 'refunds',
        description: 'How to refund, and when',
        license: 'MIT',
        metadata: { version: '1.2', days: '30' },
        version: 2,
      },
    })
  })

  test('must be there, and end', () => {
    const missing = expect.stringMatching(/^1: must begin with front matter/) as string
    expect(problems('# Refunds')).toEqual([missing])
    expect(problems('')).toEqual([missing])
    expect(problems('---\nname: refunds\n')).toEqual([missing])
    expect(problems(`\n${GOOD}`)).toEqual([missing])
  })

  test('must have a name and a description', () => {
    expect(problems('---\nlicense: MIT\n---\n')).toEqual([
      expect.stringContaining('1: name must be') as string,
      expect.stringContaining('1: description must say') as string,
    ])
    expect(problems('---\n---\n')).toHaveLength(2)
    expect(problems('---\n- a\n---\n')).toHaveLength(2)
  })

  test.each(['Refunds', 'a--b', '-a', 'a_b', '3', '"x y"', `${'a'.repeat(65)}`, '[a]'])(
    'has no name %s, and says the line',
    (name) => {
      expect(changed('name: refunds', `name: ${name}`)).toEqual([
        expect.stringMatching(/^2: name must be 1 to 64 characters/) as string,
      ])
    },
  )

  test('has the name of the folder', () => {
    expect(problems(GOOD, 'returns')).toEqual([
      '2: name must be that of the folder: write name: returns, or rename the folder',
    ])
  })

  test('has a short description', () => {
    expect(changed('  and when', `  ${'x'.repeat(1024)}`)).toEqual([
      expect.stringMatching(/^3: description must have at most 1024 characters/) as string,
    ])
  })

  test('is valid YAML, and says the line of a mistake', () => {
    expect(changed('license: MIT', 'license: "MIT')[0]).toMatch(/^\d+: the front matter is not/)
    expect(changed('license: MIT', 'name: again')[0]).toMatch(/^6: the front matter is not/)
  })

  test.each(['metadata: { days: 30 }', 'metadata: [a]', 'metadata: x'])(
    'has texts only in %s, as clients demand',
    (line) => {
      expect(problems(`---\nname: refunds\ndescription: x\n${line}\n---\n`)).toEqual([
        expect.stringMatching(/^4: metadata must be a table of texts/) as string,
      ])
    },
  )

  test('has a text as compatibility', () => {
    expect(changed('license: MIT', 'compatibility: [a]')).toEqual([
      expect.stringMatching(/^6: compatibility must be a text/) as string,
    ])
  })

  test('has values that JSON has', () => {
    expect(changed('license: MIT', 'license: .nan')).toEqual([
      '6: license must be text, a number, a boolean, a list or a table of them',
    ])
  })

  test('cannot grow by aliases', () => {
    const level = (name: string, of: string) => `${name}: &${name} [${`*${of},`.repeat(9)}]\n`
    const bomb = `a: &a [x]\n${level('b', 'a')}${level('c', 'b')}${level('d', 'c')}${level('e', 'd')}`
    expect(changed('license: MIT\n', bomb)[0]).toContain('too many aliases')
  })

  test('has no field __proto__, which clients refuse', () => {
    expect(changed('license: MIT', '__proto__: x')).toEqual([
      expect.stringContaining('the field __proto__ must have another name') as string,
    ])
  })

  test('counts characters as hosts do', () => {
    expect(changed('  and when', `  ${'😀'.repeat(900)}`)).toEqual([])
  })

  test('begins with --- and nothing else, as clients demand', () => {
    expect(problems(GOOD.replace('---', '--- '))).toHaveLength(1)
  })

  test.each([
    ['a text of a megabyte', `license: ${'x'.repeat(1_000_000)}`],
    ['brackets', `license: ${'['.repeat(200_000)}`],
    ['brackets within the limit', `license: ${'['.repeat(15_000)}`],
    ['lists within the limit', `license:\n ${'- '.repeat(8_000)}x`],
  ])('is refused with %s', (_, line) => {
    expect(changed('license: MIT', line)).not.toEqual([])
  })

  test('of strangers never throws', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '---',
        'name: refunds',
        'description: x',
        '- a',
        '? [a]',
        '&a',
        '*a',
        '!!x y',
      ),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const read = readFrontMatter(['---', ...lines, '---'].join('\n'), 'refunds')
        if ('frontmatter' in read) {
          expect(JSON.parse(JSON.stringify(read.frontmatter))).toEqual(read.frontmatter)
        }
      }),
    )
  })
})
