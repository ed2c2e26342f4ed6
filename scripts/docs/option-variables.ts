/** Environment variables that stand for an option of a command. */
import type { Command } from 'commander'
import type { Declared } from './declared-variables.ts'

export function optionsByVariable(program: Command): Declared[] {
  const found = new Map<string, Map<string, string[]>>()
  const visit = (command: Command, path: string) => {
    for (const { envVar, long } of command.options) {
      if (envVar === undefined || !long) continue
      const flags = found.get(envVar) ?? new Map<string, string[]>()
      flags.set(long, [...(flags.get(long) ?? []), path])
      found.set(envVar, flags)
    }
    for (const each of command.commands) visit(each, `${path} ${each.name()}`)
  }
  visit(program, program.name())
  return [...found].map(([name, flags]) => ({ name, usual: '', meaning: meaningOf(flags) }))
}

function meaningOf(flags: ReadonlyMap<string, readonly string[]>): string {
  return [...flags]
    .map(([flag, paths]) => `as \`${flag}\` of ${paths.map((path) => `\`${path}\``).join(', ')}`)
    .join('; ')
}
