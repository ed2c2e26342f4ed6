// A path in the documents that no longer exists sends its reader nowhere.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })

/** Folders of this repository: words with a slash that begin otherwise are something else, such as `http/json`. */
const FOLDERS = new Set(
  git('ls-tree', '-d', '--name-only', 'HEAD')
    .split('\n')
    .filter((name) => name !== ''),
)

/** Documents of ours: not those of a new application, nor notices of others. */
const DOCUMENTS = git('ls-files', '*.md')
  .trimEnd()
  .split('\n')
  .filter((file) => !/^test\/fixtures\/|\/templates\/|^engine\/NOTICE/.test(file))

/** Between single backticks: a name with slashes, and patterns such as `docs/*.md`. */
const PATH = /`([\w.@-]+(?:\/[\w.@*{},-]+)+)\/?`/g

/** Of OpenTelemetry. */
const NO_PATHS = new Set(['http/protobuf', 'http/json'])

it('the documents are there', () => {
  expect(DOCUMENTS).toEqual(expect.arrayContaining(['README.md', 'docs/audit.md', 'LIMITS.md']))
})

it.each(DOCUMENTS)('every path in %s exists', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8')
  const paths = [...text.matchAll(PATH)].flatMap(([, path = '']) => {
    const isOurs = FOLDERS.has(path.split('/')[0] ?? '') && !NO_PATHS.has(path)
    return isOurs ? [path] : []
  })
  const missing = paths.filter((path) => {
    // From the root or beside the document; tests are named without their ending.
    const places = [ROOT, join(ROOT, dirname(document))].map((folder) => join(folder, path))
    return !places.some(
      (place) => existsSync(place) || existsSync(`${place}.test.ts`) || globSync(place).length > 0,
    )
  })
  expect(missing).toEqual([])
})
