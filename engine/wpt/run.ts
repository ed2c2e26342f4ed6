// npm run wpt -- --wpt FOLDER: runs the applicable Web Platform Tests in the engine, and compares with expectations.json.
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compare, type Expectations, type Expected } from './expectations.ts'
import { UNEXPLAINED, unknownReasons } from './expectations.ts'
import { FOLDERS } from './folders.ts'
import { runFile } from './run-file.ts'
import { serveEvaluator } from './serve.ts'
import { serveFiles } from './server.ts'
import { findTests } from './suite.ts'
import { makeTable, type Row } from './table.ts'

const HELP = `npm run wpt -- --wpt FOLDER [--only TEXT] [--update]

Runs the Web Platform Tests of what the engine offers, and compares with engine/wpt/expectations.json.
Ends with status 1 if something differs.

  --wpt FOLDER  a copy of web-platform-tests:
                git clone --depth 1 https://github.com/web-platform-tests/wpt
  --only TEXT   only files with this text in their path
  --update      write what differs to expectations.json; give each new failure a reason there
`

/** Engines that run files at the same time. */
const AT_ONCE = 2

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    wpt: { type: 'string' },
    only: { type: 'string', default: '' },
    update: { type: 'boolean', default: false },
    expectations: { type: 'string', default: join(import.meta.dirname, 'expectations.json') },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}
if (values.wpt === undefined) {
  console.error(HELP)
  process.exit(1)
}
const root = resolve(values.wpt)
const known = JSON.parse(await readFile(values.expectations, 'utf8')) as Expectations
for (const reason of unknownReasons(known)) {
  console.error(`${values.expectations}: "reasons" must say what "${reason}" means`)
  process.exitCode = 1
}
const found = (await findTests(root, FOLDERS)).filter(({ path }) => path.includes(values.only))
const files = found.filter(({ needs }) => needs === undefined)
const served = await serveEvaluator()
const server = await serveFiles(root)
const results = new Map<string, ReturnType<typeof compare>>()
const queue = files.values()
async function work(): Promise<void> {
  for (const file of queue) {
    const subtests = await runFile(served, { root, origin: server.url }, file)
    const outcome = compare(file.path, subtests, known.files[file.path])
    results.set(file.path, outcome)
    for (const line of outcome.differences) console.log(line)
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, work))
await Promise.all([served.close(), server.close()])

const rows = FOLDERS.map((folder): Row => {
  const all = files.filter((file) => file.folder === folder).map(({ path }) => results.get(path))
  const sum = (read: (result: ReturnType<typeof compare>) => number) =>
    all.reduce((count, result) => count + (result ? read(result) : 0), 0)
  return {
    folder,
    files: all.length,
    subtests: sum(({ subtests }) => subtests),
    passed: sum(({ passed }) => passed),
    expectedFailures: sum(({ expectedFailures }) => expectedFailures),
    unexpected: sum(({ differences }) => differences.length),
  }
}).filter((row) => row.files > 0)
console.log(makeTable(rows))
for (const what of new Set(found.flatMap(({ needs }) => needs ?? []))) {
  console.log(`${found.filter(({ needs }) => needs === what).length} files need ${what}`)
}

const gone = Object.keys(known.files).filter(
  (path) => path.includes(values.only) && !results.has(path),
)
for (const path of gone) console.log(`${path}: is listed, but is not a test of this copy`)
if (values.update) {
  const next: Record<string, Expected> = { ...known.files }
  for (const path of gone) delete next[path]
  for (const [path, result] of results) next[path] = result.next
  const sorted = Object.fromEntries(Object.entries(next).sort(([a], [b]) => (a < b ? -1 : 1)))
  const text = JSON.stringify({ ...known, files: sorted }, undefined, 2)
  await writeFile(values.expectations, `${text}\n`)
  const count = text.split(`"${UNEXPLAINED}"`).length - 1
  console.log(`expectations.json is written; ${count} files have failures without a reason`)
}
process.exit(gone.length > 0 || rows.some(({ unexpected }) => unexpected > 0) ? 1 : undefined)
