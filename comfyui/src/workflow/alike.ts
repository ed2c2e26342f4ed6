/** Which of many choices was probably meant. */

/** A list may be a stranger's: each further choice, and characters of a name beyond, are not compared. */
const MOST_CHOICES = 1000
const MOST_CHARACTERS = 200

/** @returns those with most words of the wanted one first, at most a thousand; choices that have as many stay in their order. */
export function alikeFirst(choices: readonly unknown[], wanted: unknown): unknown[] {
  const words = wordsOf(wanted)
  return choices
    .slice(0, MOST_CHOICES)
    .map((choice) => ({
      choice,
      shared: [...wordsOf(choice)].filter((word) => words.has(word)).length,
    }))
    .sort((one, other) => other.shared - one.shared)
    .map(({ choice }) => choice)
}

/** Of a file without its folder and its ending, which most files of a list have. */
function wordsOf(value: unknown): Set<string> {
  if (typeof value !== 'string') return new Set()
  const [name = ''] = value.slice(-MOST_CHARACTERS).split(/[/\\]/).slice(-1)
  const words = name.toLowerCase().replace(/\.[a-z]\w*$/, '')
  return new Set(words.split(/[^\p{L}\p{N}.]+/u).filter((word) => word !== ''))
}
