/** The lines of a shell block as commands: as much of a shell's grammar as documentation uses. */

export interface ShellCommand {
  /** The name and its arguments, without quotes, variables filled in. */
  words: string[]
  /** `NAME=value` before the name; alone they are there for every later command. */
  environment: Record<string, string>
  /** Line in the block, from 0. */
  line: number
}

type Token = { word: string; line: number } | { operator: string; line: number }

// A word is a run of these: 'as it is', "with variables", \escaped, or plain.
const PIECE = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\|&;<>]+)/y

/**
 * @param known variables of earlier blocks; those set here are added.
 * @throws for a quote without an end.
 */
export function shellCommands(text: string, known: Record<string, string> = {}): ShellCommand[] {
  const commands: ShellCommand[] = []
  let current: ShellCommand | undefined
  let toFile = false
  const end = () => {
    if (current?.words.length === 0) Object.assign(known, current.environment)
    else if (current) commands.push(current)
    current = undefined
  }
  for (const token of tokens(text, known)) {
    if ('operator' in token) {
      toFile = /[<>]/.test(token.operator)
      if (!toFile) end()
      continue
    }
    if (toFile) {
      toFile = false
      continue
    }
    current ??= { words: [], environment: {}, line: token.line }
    const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(token.word) ?? []
    if (name !== undefined && current.words.length === 0) current.environment[name] = value ?? ''
    else current.words.push(token.word)
  }
  end()
  return commands
}

function* tokens(text: string, known: Record<string, string>): Generator<Token> {
  let at = 0
  let line = 0
  const fill = (part: string) =>
    part.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced?: string, plain?: string) => {
      return known[braced ?? plain ?? ''] ?? whole
    })
  while (at < text.length) {
    const [space] = /^(?:\\\n|[^\S\n]|#.*)+/.exec(text.slice(at)) ?? []
    if (space !== undefined) {
      line += count(space)
      at += space.length
      continue
    }
    // One stream into another, such as `2>&1`.
    const [joined] = /^\d>&\d/.exec(text.slice(at)) ?? []
    if (joined !== undefined) {
      at += joined.length
      continue
    }
    const [operator] = /^(?:\n|\|\||&&|[|&;]|\d?>>?|<)/.exec(text.slice(at)) ?? []
    if (operator !== undefined) {
      yield { operator, line }
      line += count(operator)
      at += operator.length
      continue
    }
    const start = line
    let word = ''
    const before = at
    PIECE.lastIndex = at
    for (let match = PIECE.exec(text); match; match = PIECE.exec(text)) {
      const [whole, single, double, escaped, plain = ''] = match
      if (single !== undefined) word += single
      else if (double !== undefined) word += fill(unescape(double))
      else if (escaped !== undefined) word += escaped === '\n' ? '' : escaped
      else word += fill(plain)
      line += count(whole)
      at = PIECE.lastIndex
    }
    if (at === before || /['"]/.test(text[at] ?? '')) {
      throw new Error(`line ${start + 1}: a quote or a backslash has no end`)
    }
    yield { word, line: start }
  }
}

const unescape = (text: string): string => text.replaceAll(/\\(["\\$`])/g, '$1')
const count = (text: string): number => text.split('\n').length - 1
