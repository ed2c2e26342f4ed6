/** Completes a command line from the command tree itself, so that there is no second list to maintain. */
import type { Command, Option } from 'commander'
import { plain } from '../commands/help.ts'

export interface Candidate {
  word: string
  description: string
}

export interface Completion {
  candidates: Candidate[]
  /** Whether to complete paths. */
  files: boolean
  /** Whether to complete names of tools, which the caller requests from the gateway. */
  tools: boolean
}

/** @param words those after the program's name; the last is being typed and may be empty. */
export function complete(program: Command, words: readonly string[]): Completion {
  // bash passes = as a separate word.
  const current = words.at(-1)?.replace(/^=$/, '') ?? ''
  let command = program
  let expecting: Option | undefined
  let positionals = 0
  for (const word of words.slice(0, -1)) {
    if (expecting && word === '=') continue
    if (expecting) expecting = undefined
    else if (word.startsWith('-')) expecting = takesValue(command, word)
    else {
      const next = subcommand(command, word)
      if (next) [command, positionals] = [next, 0]
      else positionals++
    }
  }
  if (expecting) return valuesOf(expecting, current)
  const [, name = '', value] = /^(--[\w-]+)=(.*)$/.exec(current) ?? []
  if (value !== undefined) {
    const option = takesValue(command, name)
    const values = option ? valuesOf(option, value) : NOTHING
    const candidates = values.candidates.map((each) => ({ ...each, word: `${name}=${each.word}` }))
    return { ...values, candidates }
  }
  if (current.startsWith('-')) {
    return { ...NOTHING, candidates: starting(optionsOf(command, program), current) }
  }
  const argument = command.registeredArguments[positionals] ?? command.registeredArguments.at(-1)
  const choices = (argument?.argChoices ?? []).map((word) => ({ word, description: '' }))
  return {
    candidates: starting([...subcommandsOf(command), ...choices], current),
    files: /file|folder|path/.test(argument?.name() ?? ''),
    tools: argument?.name() === 'tool' && positionals === 0,
  }
}

const NOTHING: Completion = { candidates: [], files: false, tools: false }

function takesValue(command: Command, flag: string): Option | undefined {
  const option = command.options.find((each) => each.short === flag || each.long === flag)
  return option && (option.required || option.optional) ? option : undefined
}

function valuesOf(option: Option, current: string): Completion {
  const choices = (option.argChoices ?? []).map((word) => ({ word, description: '' }))
  const files = /<(.*)(file|path|folder)>/.test(option.flags)
  return { candidates: starting(choices, current), files, tools: false }
}

function subcommand(command: Command, word: string): Command | undefined {
  return command.commands.find((each) => each.name() === word || each.aliases().includes(word))
}

function subcommandsOf(command: Command): Candidate[] {
  return visible(command).map((each) => ({
    word: each.name(),
    description: plain(each.description()),
  }))
}

function visible(command: Command): Command[] {
  return command.createHelp().visibleCommands(command)
}

function optionsOf(command: Command, program: Command): Candidate[] {
  const help = command.createHelp()
  const options = new Set([...help.visibleOptions(command), ...program.options])
  return [...options].flatMap(({ long, description }) =>
    long === undefined || long === null ? [] : [{ word: long, description: plain(description) }],
  )
}

function starting(candidates: readonly Candidate[], current: string): Candidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ word }) => {
    if (!word.startsWith(current) || seen.has(word)) return false
    seen.add(word)
    return true
  })
}
