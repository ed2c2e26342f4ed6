/** Compares what a command prints with what a page shows. */

/** Parts that are others in each run: ids, seeds, times and ports. */
const VARYING = [
  /[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/g,
  /(?<=:)\d{4,5}\b/g,
  /\b\d+(\.\d+)? s\b/g,
  /(?<=seed )\d+/g,
]

/** Names the file of a picture: a busy machine has it too late for the result, which then has the link alone. */
const PICTURE_FILE = /\/ftl-call-\w+\//

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
    .filter((line) => line !== '' && !PICTURE_FILE.test(line))
}
