import { expect, it } from 'vitest'
import { ProgramError } from './program-error.ts'
import { withToolHint } from './unknown-tool.ts'

const TOOLS: [string, string[]][] = [
  ['echo', ['echo']],
  ['my-comp', ['a', 'b']],
]
const hint = (code: string, message = "cannot read property 'x' of undefined") =>
  withToolHint(new ProgramError('TypeError', message, { line: 1, column: 2 }), code, TOOLS)

it.each([
  ['await tools.ecko.echo({})', 'There is no tools.ecko: there are echo, my-comp'],
  ['tools.echo.echo(); tools["my_comp"].a()', 'There is no tools.my_comp: there are echo, my-comp'],
  ["tools['my-comp']['c']()", 'There is no tools.my-comp.c: my-comp has a, b'],
  ['tools.echo.shout()', 'There is no tools.echo.shout: echo has echo'],
])('%s', (code, text) => {
  const error = hint(code, 'not a function')
  expect(error.message).toBe(`not a function. ${text}`)
  expect(error.place).toEqual({ line: 1, column: 2 })
})

it('says nothing where all names are there, or the error is another one', () => {
  const own = "cannot read property 'x' of undefined"
  expect(hint('tools.echo.echo(); null.x').message).toBe(own)
  expect(hint('tools.ecko.echo()', 'mine').message).toBe('mine')
})

it('shows ten of many names', () => {
  const many: [string, string[]][] = Array.from({ length: 30 }, (_, i) => [`c${i}`, []])
  const error = withToolHint(new ProgramError('TypeError', 'not a function'), 'tools.x()', many)
  expect(error.message).toMatch(/c9 and 20 more$/)
})
