import { expect, it } from 'vitest'
import { matchesTemplate } from './uri-template.ts'

it.each([
  ['note://{id}', 'note://1'],
  ['note://{id}/text', 'note://a%20b/text'],
  ['file://{+path}', 'file:///a/b/c.txt'],
  ['db://{table}{?limit,offset}', 'db://users?limit=5'],
  ['db://{table}{?limit}', 'db://users'],
  ['x://{a}.{b}', 'x://1.2'],
  ['x://a+b(c)', 'x://a+b(c)'],
  ['x://{a}{#part}', 'x://1#top'],
])('%s gives %s', (template, uri) => expect(matchesTemplate(template, uri)).toBe(true))

it.each([
  ['note://{id}', 'note://'],
  ['note://{id}', 'note://a/b'],
  ['note://{id}/text', 'note://a/other'],
  ['db://{table}', 'db://users?limit=5'],
  ['x://a.b', 'x://aXb'],
  ['x://{a}', 'y://1'],
])('%s does not give %s', (template, uri) => expect(matchesTemplate(template, uri)).toBe(false))
