import { InvalidArgumentError, Option } from 'commander'

/** An option whose value is a name and a value. */
export function pairsOption(flags: string, description: string): Option {
  return new Option(flags, `${description}; repeatable`)
    .default({})
    .argParser((text: string, before: Record<string, string>) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
      if (name === undefined || value === undefined) {
        throw new InvalidArgumentError('give name=value')
      }
      return { ...before, [name]: value }
    })
}
