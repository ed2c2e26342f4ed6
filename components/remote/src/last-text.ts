/**
 * Remembers what the last text was read as, where requests follow each other in one program: most read the same configuration and
 * the same index. In a sandbox, each request starts again and reads it once.
 *
 * @param read depends on nothing but the text. What it returns is not changed: other requests have the same object.
 */
export function readOnce<T>(read: (text: string) => T): (text: string) => T {
  let last: { text: string; value: T } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) }
    return last.value
  }
}
