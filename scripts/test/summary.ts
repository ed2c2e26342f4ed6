/** What a run says at its end: written by the reporter of vitest, printed when the checks have ended too. */
import { readFileSync, writeFileSync } from 'node:fs'

/** The environment variable with the file that the reporter writes to. Without it the reporter prints the summary itself. */
const FILE = 'FTL_TEST_SUMMARY_FILE'

export interface Summary {
  /** Tables of attacks and, in the nightly run, of suites; then the names of flaky and failed tests. Empty, or ends with a line break. */
  text: string
  passed: number
  failed: number
  skipped: number
}

/** As it is printed. The last line is one that any machine can read. */
export function printed({ text, passed, failed, skipped }: Summary): string {
  return `${text}${passed} passed, ${failed} failed, ${skipped} skipped\n`
}

/** Gives the summary to the program that waits for it, or returns false if no program waits. */
export function handOver(summary: Summary): boolean {
  const file = process.env[FILE]
  if (file === undefined) return false
  writeFileSync(file, JSON.stringify(summary))
  return true
}

/** For the environment of vitest. */
export function summaryTo(file: string): Record<string, string> {
  return { [FILE]: file }
}

/** What was handed over, or undefined if vitest ended before. */
export function readSummary(file: string): Summary | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Summary
  } catch {
    return undefined
  }
}
