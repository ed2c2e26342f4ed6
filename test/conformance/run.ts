// The official conformance suite against the gateway. Run: npm run conformance. See --help.
import { parseArgs } from 'node:util'
import { startConformanceApplication } from './application.ts'
import { report } from './report.ts'
import { REVISIONS, runRevision } from './revisions.ts'

const HELP = `Runs the MCP conformance suite at ${Object.keys(REVISIONS).join(' and ')}.

Ends with 1 when anything is not as test/conformance/expected-failures.yaml says.

  --url ORIGIN      a conformance application that runs already, for example
                    http://localhost:3000 (or FTL_TEST_URL); without it one is built and started
  --scenario NAME   one scenario only
  --revision DATE   one revision only
  --verbose         print what the suite prints
  --help`

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 1
})

async function main(): Promise<number> {
  const { values: flags } = parseArgs({
    options: {
      url: { type: 'string' },
      scenario: { type: 'string' },
      revision: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (flags.help) {
    process.stdout.write(`${HELP}\n`)
    return 0
  }
  const revisions = Object.keys(REVISIONS)
  if (flags.revision !== undefined && !revisions.includes(flags.revision)) {
    throw new Error(`--revision must be ${revisions.join(' or ')}`)
  }
  const external = flags.url ?? process.env['FTL_TEST_URL']
  if (external === undefined) {
    // Imported late: the builder loads the component engine, which is not needed with an external application.
    const { buildConformanceApplication } = await import('./build.ts')
    await buildConformanceApplication()
  }
  const application = await startConformanceApplication(external)
  let problems = 0
  try {
    for (const revision of flags.revision ? [flags.revision] : revisions) {
      const started = performance.now()
      const verdict = await runRevision({
        url: application.url,
        revision,
        scenario: flags.scenario,
        onOutput: flags.verbose ? (chunk) => void process.stdout.write(chunk) : undefined,
      })
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      process.stdout.write(`${report(revision, verdict)}\n  ${seconds} s\n\n`)
      problems += verdict.problems.length
    }
  } finally {
    await application.close()
  }
  process.stdout.write(problems === 0 ? 'as expected\n' : `${problems} problems\n`)
  return problems === 0 ? 0 : 1
}
