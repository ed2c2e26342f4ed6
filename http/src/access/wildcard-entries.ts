/** Compares names and origins with the entries of `allowed_hosts` and `allowed_origins`, which may have a `*`. */

/** One or more labels of a domain name. */
const LABELS = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/

/**
 * Whether a value is in the list, by one of the ways it may be written.
 *
 * `*` stands for everything; before a dot, for one or more labels: `*.example.com` is `a.b.example.com`, not
 * `example.com`. Everything is in lower case.
 */
export function matches(list: readonly string[], ...values: string[]): boolean {
  return list.some((entry) => entry === '*' || values.some((value) => covers(entry, value)))
}

function covers(entry: string, value: string): boolean {
  if (entry === value) return true
  const at = entry.indexOf('*.')
  if (at < 0) return false
  const [before, after] = [entry.slice(0, at), entry.slice(at + 1)]
  return (
    value.startsWith(before) &&
    value.endsWith(after) &&
    LABELS.test(value.slice(before.length, -after.length))
  )
}
