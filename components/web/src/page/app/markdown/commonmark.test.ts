// The examples of the CommonMark specification, as far as they apply: HTML in an answer is text on purpose.
import { tests } from 'commonmark-spec'
import { Lexer, walkTokens } from 'marked'
import { expect, it } from 'vitest'
import { blockNode } from './nodes.tsx'
import { parse } from './parse.ts'
import { htmlOf, outline } from './testing/html-of.ts'

/** Examples that are read in another way, and why. */
const DIFFERENT = new Map([
  [25, 'of the character references with names, only the usual ones are known'],
  [318, 'the lexer keeps one more empty line at the end of code in a list'],
  [517, 'a picture is a link to it, and a link cannot contain another'],
  [531, 'the same'],
  // GitHub's extension finds addresses in text.
  [602, 'an address is a link'],
  [608, 'an address is a link'],
  [611, 'an address is a link'],
  [612, 'an address is a link'],
])

const examples = tests
  .map((example) => ({
    ...example,
    markdown: example.markdown.replaceAll('→', '\t'),
    html: example.html.replaceAll('→', '\t'),
  }))
  .filter(({ markdown }) => !hasHtml(markdown))
const sections = [...new Set(examples.map(({ section }) => section))]

function hasHtml(markdown: string): boolean {
  let found = false
  void walkTokens(Lexer.lex(markdown), ({ type }) => void (found ||= type === 'html'))
  return found
}

function shown(markdown: string): string {
  // The page shows links to other sites only; here every link counts.
  const linkOf = (href: string) => encodeURI(decodeURI(href))
  return htmlOf(parse(markdown).blocks.map((token) => blockNode(token, linkOf)))
}

it('covers nearly all of the specification', () => {
  expect(tests.length - examples.length).toBeLessThan(80)
  expect(sections.length).toBeGreaterThan(20)
})

it.each(sections)('%s', (section) => {
  for (const { number, markdown, html } of examples.filter((each) => each.section === section)) {
    const isSame = outline(shown(markdown)) === outline(html)
    // A difference that is no more has to leave the list.
    if (isSame === !DIFFERENT.has(number)) continue
    expect(outline(shown(markdown)), `${number}: ${markdown}`).toBe(outline(html))
  }
})
