/** `expectations.json`: which subtests fail, and why. */
import type { Subtest } from './run-file.ts'

/** Names by reason. A `*` in a name stands for any characters. */
export type Failing = Readonly<Record<string, readonly string[]>>

/** A number is that of passed subtests, when none fails. */
export type Expected = number | { passed: number; failing: Failing }

export interface Expectations {
  /** Which copy of web-platform-tests the numbers are of. */
  copy: string
  reasons: Readonly<Record<string, string>>
  files: Readonly<Record<string, Expected>>
}

/** Failures that no reason explains are kept under this one. */
export const UNEXPLAINED = 'unexplained'

export interface Comparison {
  subtests: number
  passed: number
  expectedFailures: number
  /** One line for each difference. */
  differences: string[]
  /** What the file of expectations should contain. */
  next: Expected
}

function matcher(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern
  const escaped = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  const expression = new RegExp(`^${escaped.join('[^]*')}$`)
  return (name) => expression.test(name)
}

/** @param expected `undefined` for a file that is not listed yet. */
export function compare(
  path: string,
  subtests: readonly Subtest[],
  expected: Expected | undefined,
): Comparison {
  const wanted = typeof expected === 'object' ? expected : { passed: expected ?? -1, failing: {} }
  const entries = Object.entries(wanted.failing).flatMap(([reason, patterns]) =>
    patterns.map((pattern) => ({ reason, pattern, matches: matcher(pattern), count: 0 })),
  )
  const differences: string[] = []
  const unexplained: string[] = []
  let passed = 0
  for (const { name, hasPassed, message } of subtests) {
    if (hasPassed) {
      passed++
      continue
    }
    const entry = entries.find(({ matches }) => matches(name))
    if (entry) entry.count++
    if (entry && entry.reason !== UNEXPLAINED) continue
    if (!entry) unexplained.push(name)
    differences.push(`${path}: "${name}" fails: ${message}`)
  }
  for (const { pattern, count } of entries) {
    if (count === 0) differences.push(`${path}: "${pattern}" does not fail any more`)
  }
  if (passed !== wanted.passed) {
    differences.push(`${path}: ${passed} subtests passed, ${wanted.passed} are expected`)
  }
  const failing: Record<string, string[]> = {}
  for (const { reason, pattern, count } of entries) {
    if (count > 0) (failing[reason] ??= []).push(pattern)
  }
  if (unexplained.length > 0)
    failing[UNEXPLAINED] = [...(failing[UNEXPLAINED] ?? []), ...unexplained]
  const failures = subtests.length - passed
  return {
    subtests: subtests.length,
    passed,
    expectedFailures: failures - differences.filter((line) => line.includes('" fails: ')).length,
    differences,
    next: failures === 0 ? passed : { passed, failing },
  }
}

/** Reasons of failures that have no text. */
export function unknownReasons({ reasons, files }: Expectations): string[] {
  const used = Object.values(files).flatMap((file) =>
    typeof file === 'object' ? Object.keys(file.failing) : [],
  )
  return [...new Set(used)].filter((reason) => !(reason in reasons))
}
