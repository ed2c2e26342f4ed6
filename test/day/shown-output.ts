/** Compares what a command prints with what a page shows. */

/** Parts that are others in each run: ids, seeds, sizes, times, folders and ports. */
const VARYING = [
  /[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/g,
  /\S*\/ftl-call-\w+/g,
  /(?<=:)\d{4,5}\b/g,
  /\b\d+(\.\d+)? s\b/g,
  /(?<=seed )\d+/g,
  /\d+ bytes/g,
]

/** Whether each line that is shown is printed, in this order, apart from what varies. */
export function isAsShown(printed: string, shown: string): boolean {
  const has = linesOf(printed)
  let from = 0
  return linesOf(shown).every((line) => {
    const at = has.indexOf(line, from)
    from = at + 1
    return at !== -1
  })
}

function linesOf(text: string): string[] {
  const same = VARYING.reduce((kept, pattern) => kept.replaceAll(pattern, '#'), text)
  return same
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
