import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../main.ts'

function all(command: Command, path: string): [string, Command][] {
  return command.commands.flatMap((each): [string, Command][] => [
    [`${path} ${each.name()}`, each],
    ...all(each, `${path} ${each.name()}`),
  ])
}

const HIDDEN = ['ftl build-process', 'ftl complete', 'ftl test-host']
const commands = all(await createProgram(), 'ftl').filter(([path]) => !HIDDEN.includes(path))

/** What is printed for --help, with what is added after the options. */
function helpOf(command: Command): string {
  let printed = ''
  command.configureOutput({ writeOut: (text) => (printed += text) })
  command.outputHelp()
  return printed
}

describe.each(commands)('%s', (path, command) => {
  it('says what it does', () => {
    expect(command.description()).toMatch(/^[A-Z].{10,}$/)
  })

  it('shows an example of itself', () => {
    const help = helpOf(command)
    expect(help).toMatch(/^Examples?:$/m)
    const [, examples = ''] = help.split(/^Examples?:$/m)
    expect(examples).toContain(path)
  })

  it('says what each of its options and arguments is for', () => {
    for (const option of command.options) {
      if (!option.hidden) expect(option.description, option.flags).not.toBe('')
    }
    for (const argument of command.registeredArguments) {
      expect(argument.description, argument.name()).not.toBe('')
    }
  })
})

it('hides what is not for people', async () => {
  const help = helpOf(await createProgram())
  expect(help).toContain('doctor')
  for (const path of HIDDEN) expect(help).not.toContain(path.replace('ftl ', ' ') + ' ')
})
