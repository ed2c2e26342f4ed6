import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { own } from './own-module-path.ts'
import { standardFunctions } from './standard-functions.ts'

const CODE = `export default [
  JSON.parse('[1]'), JSON.stringify({ a: 1 }), Object.assign({ a: 1 }, { b: 2 }), Object.entries({ a: 1 }),
  Object.fromEntries([['a', 1]]), Object.hasOwn({ a: 1 }, 'a'), Object.keys({ a: 1 }), Object.values({ a: 1 }),
  Array.isArray([]), Math.ceil(1.5), Math.floor(1.5), Math.max(1, 2), Math.min(1, 2), Number.isFinite(1),
  Number.isInteger(1), Date.parse('1970-01-01'), String.fromCharCode(65),
  new Error('a').message, Number('1'), await Promise.all([1]), new Request('http://a/').url, new Response('a').status, String(1),
  new Uint8Array([1]), new TextDecoder().decode(new TextEncoder().encode('a')), new URLSearchParams('a=1').get('a'), undefined,
  new (class Own extends Error {})('b') instanceof Error, ((a = 1, b = undefined) => [a, b, b === undefined])(undefined),
  typeof undefined, (() => undefined)(), { undefined: 1, Error: undefined },
]`

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    ...standardFunctions(entry),
    stdin: { contents: CODE },
    bundle: true,
    write: false,
    format: 'esm',
  })
  return outputFiles[0]?.text ?? ''
}

const evaluated = (code: string): Promise<unknown> =>
  import(`data:text/javascript,${encodeURIComponent(code)}`).then(
    (module: { default: unknown }) => module.default,
  )

test('functions and classes are the same under their short names', async () => {
  const short = await bundled(own('ftl-gateway'))
  const { define } = standardFunctions(own('ftl-gateway'))
  for (const name of Object.keys(define)) {
    expect(short).not.toMatch(new RegExp(`(?<![\\w.])${name.replace('.', '\\.')}[( ]`))
  }
  expect(await evaluated(short)).toEqual(await evaluated(CODE))
})

test('code that is not the gateway keeps the functions that it may have replaced', async () => {
  expect(await bundled(fileURLToPath(import.meta.url))).toContain('JSON.parse(')
})
