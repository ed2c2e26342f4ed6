import { describe, expect, it } from 'vitest'
import { pathKey, scanToml } from './toml-spans.ts'
import { NotEditable } from './tool-list.ts'

const at = (text: string, ...path: (string | number)[]) => {
  const found = scanToml(text).strings.get(pathKey(...path))
  return found && text.slice(found.start, found.end)
}

describe('where a string stands', () => {
  it.each([
    ['a table', '[a.b]\nc = "x"', ['a', 'b', 'c']],
    ['dotted keys', 'a.b.c = "x"', ['a', 'b', 'c']],
    ['an inline table', 'a = { b = { d = 1, c = "x" } }', ['a', 'b', 'c']],
    ['quoted keys', '["a"."b"]\n\'c\' = "x"', ['a', 'b', 'c']],
    ['spaces around dots', '[ a . b ]\nc="x"', ['a', 'b', 'c']],
    ['an array of tables', '[[a]]\n[[a]]\nc = "x"', ['a', 1, 'c']],
    ['an array over several lines', 'a = [ # one\n  "y", # two\n  "x",\n]', ['a', 1]],
    ['after a literal string with a bracket', "k = '[a]'\n[a]\nb = 'x'", ['a', 'b']],
    ['after a comment with a quote', '# don\'t "\n[a]\nb = "x" # "z"', ['a', 'b']],
    ['after a long string with quotes', 'k = """\n[a]\nb = "y" """"\n[a]\nb = "x"', ['a', 'b']],
    ['after a long literal string', "k = '''\n[a]\n'''\n[a]\nb = 'x'", ['a', 'b']],
    ['after an escaped quote', 'k = "\\"]"\na = "x"', ['a']],
    ['after numbers and dates', 'k = 1\nd = 1979-05-27 07:32:00\nl = [1, 2]\na = "x"', ['a']],
    ['with CRLF', '[a]\r\nk = 1 # c\r\nb = "x"\r\n', ['a', 'b']],
  ])('is found in or %s', (_, text, path) => {
    expect(at(text, ...path)).toBe('x')
  })

  it('is not taken from another table of the same key', () => {
    expect(at('[a]\nb = "y"\n[c]\nb = "x"', 'c', 'b')).toBe('x')
    expect(at('[a]\nb = "y"', 'b')).toBeUndefined()
  })

  it('has the escapes as they are written', () => {
    expect(at('a = "[\\"b\\"]"', 'a')).toBe('[\\"b\\"]')
  })
})

describe('where a table ends', () => {
  it.each([
    ['[v]\na = 1\nb = 2 # c\n\n[w]\n', '[v]\na = 1\nb = 2 # c'],
    ['[v]\r\na = 1\r\n', '[v]\r\na = 1'],
    ['[v]\n', '[v]'],
    ['[v] # none yet', '[v] # none yet'],
    ['[v]\na = [\n 1,\n]\n[v.x]\nb = 1', '[v]\na = [\n 1,\n]'],
  ])('%j', (text, upTo) => {
    expect(text.slice(0, scanToml(text).tableEnds.get(pathKey('v')))).toBe(upTo)
  })
})

describe('text that the scanner does not read', () => {
  it.each([
    ['a string without an end', 'a = 1\nb = "x\n', 'the text at line 2, column 6 cannot be read'],
    ['no key', '[a]\n= 1', 'the text at line 2, column 1 cannot be read'],
    [
      'an escape of TOML alone in a key',
      'a = 1\r\n  "\\U00000062" = 1',
      'the key "\\U00000062" at line 2, column 3 cannot be read',
    ],
  ])('is named with its place: %s', (_, text, message) => {
    expect(() => scanToml(text)).toThrow(new NotEditable(message))
  })
})
