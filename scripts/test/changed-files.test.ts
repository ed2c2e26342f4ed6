import { expect, it } from 'vitest'
import { changedFiles } from './changed-files.ts'

/** Answers of Git by the beginning of the command; what is missing fails. */
const git =
  (answers: Record<string, string>) =>
  (...args: string[]): string => {
    const command = args.join(' ')
    const found = Object.entries(answers).find(([start]) => command.startsWith(start))
    if (!found) throw new Error(`fatal: ${command}`)
    return found[1]
  }

it('checks what origin does not have, and what is not committed', () => {
  const files = changedFiles(
    git({
      'rev-parse HEAD': 'bbb\n',
      'merge-base HEAD origin/HEAD': 'aaa\n',
      'diff --name-only -z --diff-filter=d aaa': 'cli/src/up.ts\0test/a.wasm\0README.md\0',
      'ls-files': 'cli/src/new.ts\0',
    }),
  )
  expect(files).toEqual(['README.md', 'cli/src/new.ts', 'cli/src/up.ts'])
})

it.each(['of the default branch', 'without a remote'])(
  'checks the last commits in a clone %s',
  (kind) => {
    const files = changedFiles(
      git({
        'rev-parse HEAD': 'bbb\n',
        ...(kind !== 'without a remote' && { 'merge-base': 'bbb\n' }),
        'rev-parse --verify HEAD~30': 'aaa\n',
        'diff --name-only -z --diff-filter=d aaa': 'cli/src/up.ts\0',
        'ls-files': '',
      }),
    )
    expect(files).toEqual(['cli/src/up.ts'])
  },
)

it('checks all files where the history is missing', () => {
  expect(changedFiles(git({ 'rev-parse HEAD': 'bbb\n', 'merge-base': 'bbb\n' }))).toBeUndefined()
  expect(changedFiles(git({}))).toBeUndefined()
})
