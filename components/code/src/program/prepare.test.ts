import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { placeIn, prepare } from './prepare.ts'
import { ProgramError } from './program-error.ts'

/** As the realm does it, with the engine that runs the tests. */
function check(script: string): string | undefined {
  try {
    new Script(script, { filename: 'program' })
    return undefined
  } catch (error) {
    const { stack = '', message } = error as Error
    const [, line = '1'] = /^program:(\d+)/.exec(stack) ?? []
    return `SyntaxError: ${message}\n    at program:${line}:1`
  }
}

/** Runs what was prepared: a program of these tests uses no tools. */
async function valueOf(code: string): Promise<unknown> {
  const { script } = prepare(code, check)
  const main = new Script(script).runInThisContext() as () => Promise<unknown>
  const value = await main()
  return typeof value === 'function' ? (value as () => unknown)() : value
}

describe('the value of', () => {
  it.each([
    ['statements', 'const a = 1; return a + 1', 2],
    ['an expression', '1 + 1;', 2],
    ['an expression with a comment at its end', '1 + 1 // two', 2],
    ['a function', 'async () => 2', 2],
    ['a module', 'export const a = 1\nexport default async () => a + 1', 2],
    ['a module whose value is not a function', 'export default 2', 2],
    [
      'type arguments, which JavaScript would compare',
      'const f = <T,>(a: T): T => a\nreturn f<number>(2)',
      2,
    ],
    ['type arguments in an expression', 'Array.of<number>(2).length + 1', 2],
    ['an enum', 'enum E { A, B, C }\nreturn E.C', 2],
    [
      'statements that only look like a module',
      'const text = `\nexport default 1`\nreturn text.length - 15',
      2,
    ],
    ['nothing', '', undefined],
  ])('%s', async (_, code, value) => {
    expect(await valueOf(code)).toBe(value)
  })
})

describe('a mistake', () => {
  const refusal = (code: string): ProgramError => {
    try {
      prepare(code, check)
    } catch (error) {
      if (error instanceof ProgramError) return error
      throw error
    }
    throw new Error('it was not refused')
  }

  it.each([
    ['in JavaScript', 'return 1\nreturn + * 2', 2],
    ['in TypeScript', 'const a: = 1', 1],
    ['of a decorator', 'const a: number = 1\n@dec class A {}', 2],
    [
      'of a namespace, whose body would be gone',
      'const a = 1\nnamespace A { export const b = 1 }',
      2,
    ],
  ])('%s has its line', (_, code, line) => {
    expect(refusal(code)).toMatchObject({ name: 'SyntaxError', place: { line } })
  })

  it('of an import is one of the run', async () => {
    await expect(valueOf('import fs from "node:fs"\nexport default () => fs')).rejects.toThrow(
      'a program cannot import node:fs',
    )
  })
})

it('positions are those of the source', () => {
  const plain = prepare('return 1', check)
  expect(plain.original({ line: 2, column: 8 })).toEqual({ line: 1, column: 8 })
  const code = 'interface A { a: string }\nconst b = <T,>(x: T) => (x as A).a.b'
  const typed = prepare(code, check)
  const [, line = ''] = typed.script.split('\n').slice(1)
  const column = line.indexOf('.b') + 1
  expect(column).toBeLessThan(code.split('\n')[1]?.indexOf('.b') ?? 0)
  expect(typed.original({ line: 3, column })).toEqual({
    line: 2,
    column: (code.split('\n')[1]?.indexOf('.b') ?? 0) + 1,
  })
})

it('the first place of a program in a stack counts', () => {
  const stack = '    at ask (realm:3:4)\n    at f (program:12:5)\n    at <anonymous> (program:1:1)'
  expect(placeIn(stack)).toEqual({ line: 12, column: 5 })
  expect(placeIn('    at myprogram:1:2')).toBeUndefined()
})
