import { describe, expect, it } from 'vitest'
import { checkProgram } from './check-program.ts'

const declarations = `declare const tools: {
  echo: { echo(args: { message: string }): Promise<string> }
  "my-comp": { count(args?: { from?: number }): Promise<{ total: number }> }
}
`
const check = (code: string) => checkProgram(code, { declarations })

describe('a program without mistakes, as', () => {
  it.each([
    ['statements', 'const text = await tools.echo.echo({ message: "hi" })\nreturn text.length'],
    ['one expression', 'await tools["my-comp"].count()'],
    [
      'an async arrow function',
      'async () => {\n  return await tools["my-comp"].count({ from: 1 })\n};',
    ],
    ['a module', 'interface A { a: number }\nexport default async (): Promise<A> => ({ a: 1 })'],
    ['JavaScript', 'const all = []\nfor (let i = 0; i < 3; i++) all.push(i)\nreturn all'],
    ['nothing', ''],
  ])('%s', (_, code) => {
    expect(check(code)).toEqual([])
  })

  it('uses all that a program finds in its realm', () => {
    const code = `console.log(1, {}); console.error('x')
const id: number = setTimeout((text: string) => console.log(text), 10, 'x')
clearTimeout(id); clearInterval(setInterval(() => {}, 5)); queueMicrotask(() => {})
await sleep(1)
progress(1, 2, 'half')
const { tools: found } = await search('echo', { limit: 3 })
const { declarations } = await describe(found.map(({ name }) => name))
try { throw new ToolError('x') } catch (error) { if (error instanceof ToolError) return [error.tool, declarations.length, btoa(atob(''))] }
return new Date().toISOString()`
    expect(check(code)).toEqual([])
  })
})

describe('a mistake has its place in the program', () => {
  it.each([
    [
      'an argument',
      '\n  await tools.echo.echo({ mesage: "hi" })',
      2,
      27,
      /'mesage' does not exist/,
    ],
    ['a component', 'await tools.ecko.echo({})', 1, 13, /'ecko' does not exist/],
    [
      'a result',
      'const { sum } = await tools["my-comp"].count()\nreturn sum',
      1,
      9,
      /'sum' does not exist/,
    ],
    [
      'a function that a program does not have',
      'return fetch("x")',
      1,
      8,
      /Cannot find name 'fetch'/,
    ],
    ['an API of Node', 'return process.env', 1, 8, /Cannot find name 'process'/],
    ['syntax', 'return 1 +\n* 2', 2, 1, /Expression expected/],
    ['a module', 'const x: number = "a"\nexport default () => x', 1, 7, /not assignable/],
  ])('%s', (_, code, line, column, message) => {
    const [first] = check(code)
    expect(first).toMatchObject({ line, column, message: expect.stringMatching(message) as string })
  })
})

it('says that the declarations are wrong, where they are', () => {
  expect(() => checkProgram('return 1', { declarations: 'declare const tools: {' })).toThrow(
    /^the declarations of the tools are wrong in line 1: /,
  )
})
