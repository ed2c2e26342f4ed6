// Requests that Schemathesis makes from the OpenAPI document, good and bad: no answer contradicts the document.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask, useApplication } from './application.ts'
import { installSchemathesis, runSchemathesis } from './schemathesis.ts'

const installed = await installSchemathesis()
const application = useApplication()

/** Every kind of route once; other tools of this application fail on purpose. */
const PATHS = /^\/(tools|invoke|health|jobs\/\{id\}|tools\/plain)$/

const ARGUMENTS = [
  // Every parameter and field at its limits and beyond; random values take long and are in the unit tests.
  ...['--phases', 'coverage'],
  // The same requests in every run.
  ...['--seed', '1', '--generation-deterministic'],
  '--continue-on-failure',
]

/** No schema can say that a text must be the JSON of an object, as `function.arguments` must. */
const CONFIGURATION = `
[[operations]]
include-name = "POST /invoke"
checks.positive_data_acceptance.enabled = false
`

type Document = { paths: Record<string, Record<string, unknown>> }

/**
 * `GET /tools/{name}` exists but is left out of the document: programs that make functions of a document would offer
 * each tool twice.
 */
function completed(document: Document): Document {
  const responses = { 200: { description: 'The tool' } }
  const paths = Object.entries(document.paths)
    .filter(([path]) => PATHS.test(path))
    .map(([path, methods]) => [
      path,
      path.startsWith('/tools/') ? { ...methods, get: { responses } } : methods,
    ])
  return { ...document, paths: Object.fromEntries(paths) as Document['paths'] }
}

it('Schemathesis finds nothing', { timeout: 120_000 }, async (context) => {
  if ('missing' in installed) return context.skip(installed.missing)
  const folder = await mkdtemp(join(tmpdir(), 'ftl-schemathesis-'))
  try {
    const { body } = await ask(`${application.url}/openapi.json`)
    const document = join(folder, 'openapi.json')
    await writeFile(document, JSON.stringify(completed(body as Document)))
    await writeFile(join(folder, 'schemathesis.toml'), CONFIGURATION)
    const { passed, report } = await runSchemathesis(installed.command, document, {
      cwd: folder,
      args: ['--url', application.url, ...ARGUMENTS],
    })
    expect(report).toContain('Coverage')
    expect(passed, report).toBe(true)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
