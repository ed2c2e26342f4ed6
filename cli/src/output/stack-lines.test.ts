import { build } from 'esbuild'
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { keepMap } from '../build/source-map.ts'
import { stackLines } from './stack-lines.ts'

const SOURCE = `interface Unused { a: string }
export function paint(colour: string): string {
  if (colour === '') throw new TypeError('no colour')
  return colour
}
globalThis.paint = paint
`

let folder: string
let output: string
/** Where the error is made in the bundle, from 1. */
let column: number
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ftl-stack-')))
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'main.ts'), SOURCE)
  output = join(folder, 'dist', 'my-tool.wasm')
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'main.ts')],
    bundle: true,
    write: false,
    minify: true,
    outfile: 'my-tool.js',
    sourcemap: 'external',
    format: 'esm',
    logLevel: 'silent',
  })
  const text = (suffix: string) => outputFiles.find(({ path }) => path.endsWith(suffix))?.text ?? ''
  column = text('.js').indexOf('new TypeError') + 1
  await keepMap(text('.map'), output)
})

const rewrite = (line: string) => stackLines(() => output)('my-tool', line)
const place = () => `${relative(process.cwd(), join(folder, 'main.ts'))}:3:28`

test.each([
  ['    at handler (bundle.js:1:COLUMN)', 'handler (PLACE)'],
  ['    at <anonymous> (bundle.js:1:COLUMN)', 'PLACE'],
  ['    at async handler (bundle.js:1:COLUMN)', 'async handler (PLACE)'],
  ['    at async <anonymous> (bundle.js:1:COLUMN)', 'async PLACE'],
  ['    at jr (bundle.js:1:COLUMN)', 'PLACE'],
  ['    at bundle.js:1:COLUMN', 'PLACE'],
])(
  'a frame names the line of the source, and a name only where it is the source’s: %s',
  (frame, shown) => {
    const line = frame.replace('COLUMN', String(column))
    expect(rewrite(line)).toBe(`    at ${shown.replace('PLACE', place())}`)
  },
)

test('a place in the middle of a line is replaced, too', () => {
  expect(rewrite(`bundle.js:1:${column} TypeError: no`)).toBe(`${place()} TypeError: no`)
})

test.each([
  'nothing of a place',
  'other.js:1:5 is of another bundle',
  `bundle.js:1:1${' '.repeat(1_000_000)}`,
])('%.40s stays as it is', (line) => {
  expect(rewrite(line)).toBe(line)
})

test('without a map, or with one that is none, lines stay as they are', () => {
  const line = `    at jr (bundle.js:1:${column})`
  expect(stackLines(() => undefined)('my-tool', line)).toBe(line)
  expect(stackLines(() => join(folder, 'dist', 'gone.wasm'))('my-tool', line)).toBe(line)
  writeFileSync(join(folder, 'dist', 'bad.wasm.map'), '{')
  expect(stackLines(() => join(folder, 'dist', 'bad.wasm'))('my-tool', line)).toBe(line)
})

test('an endless loop names the table of this component, and the remedy once', () => {
  const ended = 'JavaScript ran for more than 4000 ms without waiting for anything, and was ended. '
  const said = `${ended}Wait now and then, or set compute_limit_ms in spin.toml, under [component.ID.tool.ftl]`
  expect(rewrite(said)).toBe(said.replace('ID', 'my-tool'))
})
