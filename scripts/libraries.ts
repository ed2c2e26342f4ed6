// Tries popular npm libraries in components, and writes what works to docs/npm-libraries.md. See --help.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeChanges, readResults, writePage, writeResults } from './libraries/results.ts'
import { readTopics } from './libraries/list.ts'
import { tryLibraries } from './libraries/try.ts'

const HELP = `npm run libraries [-- options]

Installs 100 npm libraries, builds a component with each, calls it, and compares the result with that of Node.
Writes scripts/libraries/results.json and the table of docs/npm-libraries.md. Takes a few minutes.

  --only NAME      tries one library, prints what it found and writes nothing; may be repeated
  --check          writes nothing, and ends with 1 if a result differs from the committed one
  --table          writes only the table, from the committed results
  --folder FOLDER  where the libraries are installed (default: .ftl/libraries)
`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    only: { type: 'string', multiple: true },
    check: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    folder: { type: 'string', default: join(import.meta.dirname, '../.ftl/libraries') },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}
const topics = readTopics()
if (values.table) {
  await writePage(topics, await readResults())
  process.exit()
}
const known = topics.flatMap(({ libraries }) => libraries)
for (const name of values.only ?? []) {
  if (!known.some((library) => library.name === name))
    fail(`there is no library "${name}" in list.json`)
}
const chosen = values.only ? known.filter(({ name }) => values.only?.includes(name)) : known

const started = Date.now()
const results = await tryLibraries(values.folder, known, chosen, (line) => console.error(line))
const working = results.filter(({ works }) => works)
const plain = working.filter(({ setting }) => setting === 'none')
for (const { name, works, setting, error } of results) {
  if (works && setting === 'none' && !values.only) continue
  console.log(
    `${name}: ${works ? `works${setting === 'none' ? '' : ` (${setting})`}` : `does not work: ${error}`}`,
  )
}
console.log(
  `${working.length} of ${results.length} work, ${plain.length} of them without a setting ` +
    `(${Math.round((Date.now() - started) / 1000)} s)`,
)
const changes = describeChanges(await readResults(), results)
for (const change of changes) console.log(change)
if (values.check) {
  if (changes.length > 0)
    fail('the results differ from scripts/libraries/results.json: run npm run libraries')
} else if (!values.only) {
  await writeResults(results)
  await writePage(topics, results)
  console.log('Wrote scripts/libraries/results.json and docs/npm-libraries.md.')
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
