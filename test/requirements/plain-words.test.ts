// What people read is plain English: STYLEGUIDE.md says what that means.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bannedInTexts, bannedPhrases, commentsOf, messagesOf, proseOf } from './plain-words.ts'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

/** Files that git has, or would have with the next commit. */
function files(pattern: RegExp): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((file) => pattern.test(file))
}

function found(
  file: string,
  textOf: (content: string) => string,
  phrasesOf: (text: string) => string[] = bannedInTexts,
): string[] {
  const content = readFileSync(join(REPOSITORY, file), 'utf8')
  return phrasesOf(textOf(content)).map((phrase) => `${file}:${phrase}`)
}

/** Made from docstrings, which are not plain yet. */
const GENERATED = /^docs\/api\//

/** It quotes what it bans. */
const STYLEGUIDE = 'STYLEGUIDE.md'

/** Sources of what is published, without tests and what only tests use. */
const PRODUCT = /^(?!test\/|bench\/|comfyui\/simulator\/|.*\/testing).*(?<!\.test|\.d)\.tsx?$/

describe('a text for people', () => {
  it('has no banned phrase in Markdown', () => {
    const markdown = files(/\.md$/).filter((file) => !GENERATED.test(file) && file !== STYLEGUIDE)
    expect(markdown.length).toBeGreaterThan(30)
    expect(markdown.flatMap((file) => found(file, proseOf))).toEqual([])
  })

  it('has no banned phrase in messages, help and labels', () => {
    const sources = files(PRODUCT)
    expect(sources.length).toBeGreaterThan(500)
    expect(sources.flatMap((file) => found(file, (content) => messagesOf(content, file)))).toEqual(
      [],
    )
  })

  it('has no banned phrase in comments', () => {
    const commented = files(PRODUCT).flatMap((file) =>
      found(file, (text) => commentsOf(text, file), bannedPhrases),
    )
    expect(commented).toEqual([])
  })
})

describe('the check', () => {
  it('reads comments without code, across lines', () => {
    const source =
      'const a = "nobody"\n// The client is\n// told. `anew`\n/** Nothing. */ const b = 1'
    expect(bannedPhrases(commentsOf(source, 'x.ts'))).toEqual([
      '2: "is told" (write "receives", "is notified of" or "gets the error")',
    ])
  })

  it.each([
    'Nobody waits for it.',
    'Its state lies in a store.',
    '"x" is none of the names',
    '"x" is no text',
    'the client is told\nof it',
    'a gateway of one’s own',
    'It is read anew.',
  ])('finds %j', (text) => {
    expect(bannedPhrases(text)).toHaveLength(1)
  })

  it.each([
    'Like start, and take up every change',
    'only calls that went well',
    'Answer 405 for one who asks for it',
    'how long to wait without a word',
    'a tool that tells how it is getting on',
    '## The page',
  ])('finds %j in a text for users', (text) => {
    expect(bannedPhrases(text)).toEqual([])
    expect(bannedInTexts(text)).toHaveLength(1)
  })

  it.each([
    'There is no tool "x".',
    'It is no longer used, and no slower than before.',
    'It stands in for a server.',
    'The time taken for a call.',
    'None of the tools has a name.',
    'A user who has no account.',
    '## The page and its state',
  ])('leaves %j alone', (text) => {
    expect(bannedInTexts(text)).toEqual([])
  })

  it('gives the line in the file', () => {
    expect(bannedPhrases('one\ntwo\nread it anew')).toEqual(['3: "anew" (write "again")'])
  })

  it('reads Markdown without its code, and TypeScript without all but its strings', () => {
    expect(proseOf('a `nobody` b\n```\nnobody\n```\n[c](nobody.md)')).not.toContain('nobody')
    const source = "// nobody\nconst nobody = `two ${'anew'} ` + <b>whoever</b>"
    expect(bannedPhrases(messagesOf(source, 'x.tsx'))).toEqual([
      '2: "whoever" (write name the program, the request or the user)',
      '2: "anew" (write "again")',
    ])
  })
})
