import { Argument, Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { complete } from './words.ts'

const program = new Command('ftl')
  .addOption(new Option('--debug', 'show stacks'))
  .addCommand(
    new Command('start')
      .description('Start it')
      .addOption(new Option('--log-format <format>', 'how').choices(['plain', 'json']))
      .option('--from <path>', 'where')
      .option('--quiet', 'say nothing')
      .addOption(new Option('--tls').hideHelp()),
  )
  .addCommand(new Command('call').argument('<tool>', 'its name').argument('[arguments...]', 'x'))
  .addCommand(
    new Command('workflows')
      .addCommand(new Command('lint').argument('[folder]', 'which'))
      .addCommand(new Command('init')),
  )
  .addCommand(new Command('completion').addArgument(new Argument('<s>', 's').choices(['bash'])))
  .addCommand(new Command('secret'), { hidden: true })

const words = (...typed: string[]) => complete(program, typed).candidates.map(({ word }) => word)

describe('what may come next', () => {
  it.each<[string[], string[]]>([
    [['s'], ['start']],
    [
      ['workflows', ''],
      ['lint', 'init', 'help'],
    ],
    [
      ['start', '--'],
      ['--log-format', '--from', '--quiet', '--help', '--debug'],
    ],
    [
      ['start', '--log-format', ''],
      ['plain', 'json'],
    ],
    [['start', '--log-format', 'j'], ['json']],
    [['start', '--log-format=p'], ['--log-format=plain']],
    // As bash splits it.
    [['start', '--log-format', '=', 'p'], ['plain']],
    [
      ['start', '--log-format', '='],
      ['plain', 'json'],
    ],
    [['start', '--quiet', '--log-format', 'p'], ['plain']],
    [['start', 'x', ''], []],
    [['completion', ''], ['bash']],
    [['nonsense', ''], []],
  ])('%j: %j', (typed, expected) => {
    if (typed[0] === 'nonsense') expect(complete(program, typed).tools).toBe(false)
    else expect(words(...typed)).toEqual(expected)
  })

  it('is a tool for call, once', () => {
    expect(complete(program, ['call', ''])).toMatchObject({ tools: true, files: false })
    expect(complete(program, ['call', 'echo', ''])).toMatchObject({ tools: false })
  })

  it('is a path where one is meant', () => {
    expect(complete(program, ['start', '--from', ''])).toMatchObject({ files: true })
    expect(complete(program, ['workflows', 'lint', ''])).toMatchObject({ files: true })
    expect(complete(program, ['start', '--log-format', ''])).toMatchObject({ files: false })
  })
})
