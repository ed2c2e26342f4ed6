import { describe, expect, it } from 'vitest'
import { expandUriTemplate, variablesOfUriTemplate } from './expand-uri-template.ts'
import { processorMs } from '../../test/support/processor-time.ts'

// The values and the results are those of RFC 6570, section 3.2.
const VALUES = {
  var: 'value',
  hello: 'Hello World!',
  half: '50%',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  who: 'fred',
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
}

describe('a URI template', () => {
  it.each([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['O{empty}X', 'OX'],
    ['O{undef}X', 'OX'],
    ['{x,y}', '1024,768'],
    ['?{x,empty}', '?1024,'],
    ['?{undef,y}', '?768'],
    ['{var:3}', 'val'],
    ['{var:30}', 'value'],
    ['{+var}', 'value'],
    ['{+hello}', 'Hello%20World!'],
    ['{+half}', '50%25'],
    ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
    ['{+base}index', 'http://example.com/home/index'],
    ['{+path}/here', '/foo/bar/here'],
    ['{+path:6}/here', '/foo/b/here'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['{#undef}', ''],
    ['X{.x,y}', 'X.1024.768'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{/var,empty}', '/value/'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{;v,empty,who}', ';v=6;empty;who=fred'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ])('%s is filled as %s', (template, expected) => {
    expect(expandUriTemplate(template, VALUES)).toBe(expected)
  })

  it('has each variable once, and those that can be left out', () => {
    expect(variablesOfUriTemplate('notes://{year}/{month}{?page,size}{&year}')).toEqual([
      { name: 'year', isOptional: false },
      { name: 'month', isOptional: false },
      { name: 'page', isOptional: true },
      { name: 'size', isOptional: true },
    ])
  })

  it.each(['{}', '{ x }', '{!x}', '{x', 'x}', '{__proto__}', '{constructor}', '{\u202e}'])(
    'that is hostile or wrong (%s) is never more than text',
    (template) => {
      expect(typeof expandUriTemplate(template, {})).toBe('string')
      expect(expandUriTemplate(template, {})).not.toContain('function')
    },
  )

  it('of a hostile server takes no more than a moment', () => {
    const started = processorMs()
    variablesOfUriTemplate(`{${'a,'.repeat(2_000)}`)
    variablesOfUriTemplate('{'.repeat(4_000))
    expandUriTemplate(`{${'a:1,'.repeat(1_000)}a}`, { a: 'b' })
    expect(processorMs() - started).toBeLessThan(500)
  })
})
