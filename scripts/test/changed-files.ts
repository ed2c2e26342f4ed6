/** Which files the linter and the format check look at in `npm test`. */
import { execFileSync } from 'node:child_process'

/** Commits that count as changes in a clone without work of its own, for example on CI. */
const COMMITS = 30

const CHECKED = /\.(?:[cm]?[jt]sx?|json|md|ya?ml|css|html)$/

/**
 * Files of commits that the default branch at `origin` does not have; without any, of the last {@link COMMITS} commits.
 * Files that are not committed yet belong to them.
 *
 * @returns undefined if Git cannot say it, for example in a clone of one commit
 */
export function changedFiles(git: (...args: string[]) => string = runGit): string[] | undefined {
  try {
    const base = baseOf(git)
    const changed = git('diff', '--name-only', '-z', '--diff-filter=d', base)
    const added = git('ls-files', '--others', '--exclude-standard', '-z')
    const files = `${changed}${added}`.split('\0').filter((file) => CHECKED.test(file))
    return [...new Set(files)].sort()
  } catch {
    return undefined
  }
}

function baseOf(git: (...args: string[]) => string): string {
  const head = git('rev-parse', 'HEAD').trim()
  let shared = head
  try {
    shared = git('merge-base', 'HEAD', 'origin/HEAD').trim()
  } catch {
    // There is no `origin`.
  }
  return shared === head ? git('rev-parse', '--verify', `HEAD~${COMMITS}`).trim() : shared
}

function runGit(...args: string[]): string {
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
  return execFileSync('git', args, { encoding: 'utf8', stdio, maxBuffer: 64 * 1024 ** 2 })
}
