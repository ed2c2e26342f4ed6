import { describe, expect, it } from 'vitest'
import { blockNode, safeLink } from './nodes.tsx'
import { paint } from './paint.ts'
import { parse } from './parse.ts'
import { htmlOf } from './testing/html-of.ts'

const shown = (markdown: string) => htmlOf(parse(markdown).blocks.map((token) => blockNode(token)))

describe('a link', () => {
  it.each(['https://a.example/x?y=1', 'http://a.example', 'mailto:ada@a.example'])(
    'to %s is one',
    (address) => {
      expect(shown(`[go](${address})`)).toContain('<a href=')
    },
  )
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '#/tools/x',
    '/jobs/1',
    '//a.example',
    'java&#115;cript:alert(1)',
    'https&#58;javascript',
  ])('to %s is only its words', (address) => {
    expect(shown(`[go](${address}) ![see](${address}) <${address}>`)).not.toContain('<a')
  })
  it('that has a line end in its address is none', () => {
    expect(safeLink('https://a.example/\nx')).toBeUndefined()
  })
})

it('HTML is text, also where it is a block', () => {
  const text = shown('<script>alert(1)</script>\n\n<b onclick="x">a</b>')
  expect(text).not.toMatch(/<(script|b)\b/)
  expect(text).toContain('&#60;script&#62;')
})

describe('a table, a task list and strikethrough', () => {
  it('are elements', () => {
    expect(shown('| a | b |\n|:-:|--:|\n| `1` | ~~2~~ |')).toMatch(
      /<table><thead><tr><th>a<.*<td><code>1<\/code><\/td><td><del>2<\/del>/,
    )
    expect(shown('- [x] done\n- [ ] not\n  - deeper')).toMatch(
      /<input><\/input>done.*<ul><li>deeper/,
    )
  })
})

describe('code', () => {
  const classes = (code: string, language: string) =>
    [...JSON.stringify(paint(code, language)).matchAll(/"type":"([\w-]+)"/g)].map(
      ([, type]) => type,
    )
  it.each([
    ['js', 'const a = "b"', 'keyword'],
    ['ts', 'type A = string', 'keyword'],
    ['json', '{"a": true}', 'boolean'],
    ['python', 'def f(): return 1', 'keyword'],
    ['bash', 'echo "$HOME"', 'string'],
    ['html', '<b class="x">', 'tag'],
  ])('in %s has colours', (language, code, expected) => {
    expect(classes(code, language)).toContain(expected)
  })
  it.each(['', 'cobol', '__proto__', 'constructor', 'extend', 'insertBefore', 'DFS', 'toString'])(
    'in a language "%s" has none',
    (language) => {
      expect(paint('const a = 1', language)).toBeUndefined()
    },
  )
})
