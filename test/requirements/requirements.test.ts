// Every rule of the specification that concerns this server is held by a test, and every rule that a test names
// exists.
import { expect, it } from 'vitest'
import { audit } from './audit.ts'
import { RULES } from './manifest.ts'
import { readEvidence } from './repository.ts'

it('rules and tests belong together', () => {
  expect(audit(RULES, readEvidence())).toEqual([])
})

it('every revision has rules of every kind it knows', () => {
  const chapters = (revision: string) =>
    new Set(
      RULES.filter(({ revisions }) => (revisions as readonly string[]).includes(revision)).map(
        ({ id }) => id.split('.')[0],
      ),
    )
  for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    const expected = ['jsonrpc', 'version', 'tools', 'prompts', 'resources', 'completion']
    expect([...chapters(revision)], revision).toEqual(expect.arrayContaining(expected))
  }
  const modern = ['meta', 'headers', 'result', 'errors', 'mrtr', 'caching', 'subscriptions']
  expect([...chapters('2026-07-28')]).toEqual(expect.arrayContaining(modern))
})
