/** More locales than any program uses in one call. */
const MOST = 50

/** Remembers what was read for a locale without options, because `toLocaleString('en')` reads it again each time. */
export function byLocale<T>(
  read: (locales: unknown, options: unknown) => T,
): (locales: unknown, options: unknown) => T {
  const known = new Map<string | undefined, T>()
  return (locales, options) => {
    if (options !== undefined || (locales !== undefined && typeof locales !== 'string')) {
      return read(locales, options)
    }
    const before = known.get(locales)
    if (before !== undefined) return before
    const found = read(locales, options)
    if (known.size < MOST) known.set(locales, found)
    return found
  }
}
