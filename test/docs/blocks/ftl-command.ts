/** A line `ftl …` beside the commands and options there are. */
import type { Command, Option } from 'commander'

/** What is wrong with it; undefined when it would be taken. */
export function ftlProblem(program: Command, args: readonly string[]): string | undefined {
  let command = program
  const given: string[] = []
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (word === '--') {
      given.push(...args.slice(index + 1))
      break
    }
    if (word.startsWith('-') && word.length > 1) {
      const [name = word, attached] = word.startsWith('--') ? word.split(/=(.*)/s, 2) : [word]
      if (name === '--help' || name === '-h') return undefined
      const option = optionOf(command, name)
      if (!option && passesOn(command)) {
        given.push(word)
        continue
      }
      if (!option) return `${path(command)} has no option ${name}`
      const takes = option.required || option.optional
      if (!takes && attached !== undefined) return `${name} takes no value`
      const next = args[index + 1]
      const value = attached ?? (takes && !next?.startsWith('-') ? args[++index] : undefined)
      if (option.required && value === undefined) return `${name} needs a value`
      const problem = value === undefined ? undefined : valueProblem(option, value)
      if (problem !== undefined) return problem
      continue
    }
    const below = given.length === 0 ? commandOf(command, word) : undefined
    if (below) command = below
    else if (command === program) return `there is no command "${word}"`
    else given.push(word)
  }
  return argumentProblem(command, given)
}

function argumentProblem(command: Command, given: string[]): string | undefined {
  const takes = command.registeredArguments
  if (takes.length === 0 && command.commands.length > 0) {
    return given.length > 0 ? `${path(command)} has no command "${given[0]}"` : undefined
  }
  const missing = takes.filter(({ required }) => required)[given.length]
  if (missing) return `${path(command)} needs <${missing.name()}>`
  if (given.length > takes.length && takes.at(-1)?.variadic !== true) {
    return `${path(command)} takes ${takes.length} arguments, not ${given.length}`
  }
  return undefined
}

function valueProblem(option: Option, value: string): string | undefined {
  // The content of a file that the reader has.
  if (/^\w+=@/.test(value)) return undefined
  try {
    // Also of an option with choices: commander makes a parser of them.
    option.parseArg?.(value, undefined)
    return undefined
  } catch (error) {
    return `${option.long} ${value}: ${(error as Error).message}`
  }
}

function optionOf(command: Command | null, name: string): Option | undefined {
  if (!command) return undefined
  const own = command.options.find(({ long, short }) => long === name || short === name)
  return own ?? optionOf(command.parent, name)
}

// Commander has no other way to ask for what `allowUnknownOption` has set.
const passesOn = (command: object): boolean =>
  '_allowUnknownOption' in command && command._allowUnknownOption === true

const commandOf = (command: Command, word: string): Command | undefined =>
  command.commands.find((each) => each.name() === word || each.aliases().includes(word))

const path = (command: Command): string =>
  command.parent ? `${path(command.parent)} ${command.name()}` : command.name()
