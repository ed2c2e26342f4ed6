// `npm test`: the checks and the tests, side by side. `npm run test:nightly` has more of both (test/support/nightly.ts).
// `npm run test:sandboxed` has the tests of components with the gateway in a component, too. Further arguments are those of vitest.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changedFiles } from './test/changed-files.ts'
import { install } from './side-packages.ts'
import { type Check, lanesOf, startChecks } from './test/checks.ts'
import { printed, readSummary, summaryTo } from './test/summary.ts'

/** In one piece, so that lines of the tests are not in between. */
function report({ command, passed, seconds, output }: Check): void {
  const title = `${passed ? '✓' : '✗ FAILED'} ${command} (${seconds.toFixed(0)} s)`
  process.stdout.write(passed ? `${title}\n` : `${title}\n${output}\n\n`)
}

const folder = mkdtempSync(join(tmpdir(), 'ftl-test-run-'))
const summaryFile = join(folder, 'summary.json')
const isNightly = process.argv.includes('--nightly')
if (isNightly) {
  await install('test/judges')
  await install('docs')
}
const checks = startChecks(lanesOf(isNightly ? undefined : changedFiles()), report)
const isSandboxed = process.argv.includes('--sandboxed')
const OWN = ['--nightly', '--sandboxed']
const options = process.argv.slice(2).filter((argument) => !OWN.includes(argument))
const tests = spawn('vitest', ['run', ...options], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ...summaryTo(summaryFile),
    ...(isNightly && { FTL_TEST_NIGHTLY: '1' }),
    ...(isSandboxed && { FTL_TEST_GATEWAY: 'sandboxed' }),
  },
  shell: process.platform === 'win32',
})
// Ctrl-C reaches the tests from the terminal; without the listener this process would not wait for them.
process.on('SIGINT', () => checks.stop())
process.on('SIGTERM', () => {
  checks.stop()
  tests.kill()
})
const ended = await new Promise<number>((resolve) => {
  tests.once('error', ({ message }) => {
    console.error(`vitest: ${message}`)
    resolve(1)
  })
  tests.once('close', (code) => resolve(code ?? 1))
})
const failed = (await checks.done).filter(({ passed }) => !passed)
// Once more at the end: a log is often kept by its end alone.
for (const check of failed) report(check)
const summary = readSummary(summaryFile)
rmSync(folder, { recursive: true })
if (summary) {
  const { text } = summary
  // Vitest can fail in its own end, for example when a global teardown throws.
  const unexplained = ended !== 0 && summary.failed === 0 && failed.length === 0
  const reason = unexplained ? `FAILED vitest ended with exit code ${ended}\n` : ''
  const failures = summary.failed + failed.length + (unexplained ? 1 : 0)
  process.stdout.write(printed({ ...summary, text: text + reason, failed: failures }))
}
process.exitCode = ended === 0 && failed.length > 0 ? 1 : ended
