import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compile } from './compile.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'ftl-names-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const USE = `import { make } from 'ftl-a'\nexport const made = make()\n`

/** Compiles a package, and another one that has the first one's type without naming it. */
function declarationsOfUser(entry: string): string {
  const files = {
    'package.json': '{ "type": "module" }',
    'a/src/made.ts': 'export interface Made { a: 1 }\nexport const make = (): Made => ({ a: 1 })\n',
    'a/src/index.ts': entry,
    'b/src/index.ts': USE,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const paths: Record<string, string> = {}
  for (const name of ['a', 'b']) {
    const rootDir = join(folder, name, 'src')
    const outDir = join(folder, 'staged', name, 'dist')
    compile({ rootDir, outDir, modules: [join(rootDir, 'index.ts')], paths })
    paths[`ftl-${name}`] = join(outDir, 'index.d.ts')
  }
  return readFileSync(join(folder, 'staged/b/dist/index.d.ts'), 'utf8')
}

it('an inferred type of another package is named by the package, not by a path', () => {
  const entry = `export { make, type Made } from './made.ts'\n`
  expect(declarationsOfUser(entry)).toBe('export declare const made: import("ftl-a").Made;\n')
})

it('one that the package does not export is refused', () => {
  expect(() => declarationsOfUser(`export { make } from './made.ts'\n`)).toThrow(
    'index.d.ts: no package exports the inferred type Made',
  )
})
