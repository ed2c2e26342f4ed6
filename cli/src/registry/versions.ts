/** Chooses a version of a package: an exact one, a tag, or the newest of a range with `^`, `~` or `*`. */
import { CommandFailure } from '../terminal/failure.ts'

type Version = [major: number, minor: number, patch: number]

/** @throws {CommandFailure} when none fits. */
export function chooseVersion(
  wanted: string,
  versions: readonly string[],
  tags: Readonly<Record<string, unknown>>,
): string {
  const range = wanted === '' ? 'latest' : wanted
  const tagged = Object.hasOwn(tags, range) ? tags[range] : undefined
  if (typeof tagged === 'string' && versions.includes(tagged)) return tagged
  if (versions.includes(range)) return range
  const fits = matcher(range)
  // A version before a release is only taken by its full name.
  const found = versions.flatMap((text) => {
    const version = parse(text)
    return version && fits?.(version) ? [{ text, version }] : []
  })
  found.sort((a, b) => compare(b.version, a.version))
  if (found[0]) return found[0].text
  throw new CommandFailure(
    fits
      ? `no version of the package fits ${range}`
      : `"${range.slice(0, 60)}" must be a version, a tag, or a range such as ^1.2.0, ~1.2.0 or *`,
  )
}

function parse(text: string): Version | undefined {
  const [, major, minor, patch] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(text) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

function matcher(range: string): ((version: Version) => boolean) | undefined {
  if (range === '*') return () => true
  const least = parse(range.slice(1))
  if (!least || !/^[\^~]/.test(range)) return undefined
  // `^` keeps the first number that is not 0; `~` keeps major and minor.
  const kept = range.startsWith('~') ? 2 : Math.min(least.findIndex((part) => part > 0) + 1 || 3, 3)
  return (version) =>
    compare(version, least) >= 0 && least.slice(0, kept).every((part, at) => version[at] === part)
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

/**
 * The order of two versions, as semver has it.
 *
 * @returns `undefined` when one of them is not a version with three numbers.
 * @see https://semver.org/#spec-item-11
 */
export function compareVersions(a: string, b: string): number | undefined {
  const [left, right] = [ordered(a), ordered(b)]
  if (!left || !right) return undefined
  const order = compare(left.numbers, right.numbers)
  if (order !== 0) return order
  if (left.before.length === 0 || right.before.length === 0)
    return Math.sign(right.before.length - left.before.length)
  const longest = Math.max(left.before.length, right.before.length)
  for (let at = 0; at < longest; at++) {
    const found = comparePart(left.before[at], right.before[at])
    if (found !== 0) return found
  }
  return 0
}

function ordered(text: string): { numbers: Version; before: string[] } | undefined {
  const [, numbers = '', before] =
    /^(\d{1,9}\.\d{1,9}\.\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(text) ?? []
  const version = parse(numbers)
  return version && { numbers: version, before: before?.split('.') ?? [] }
}

/** Of what follows the hyphen. Numbers come before words, and a shorter list before a longer one. */
function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0
  if (a === undefined) return -1
  if (b === undefined) return 1
  const [isNumber, isOtherNumber] = [/^\d{1,15}$/.test(a), /^\d{1,15}$/.test(b)]
  if (isNumber && isOtherNumber) return Math.sign(Number(a) - Number(b))
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return a < b ? -1 : 1
}
