import { Command } from 'commander'
import {
  DESCRIPTION,
  helpAfter,
  NewFailure,
  type NewOptions,
  OPTIONS,
  runNew,
} from 'create-ftl-tool'
import { CommandFailure } from '../terminal/failure.ts'
import { addComponent } from '../new/add-component.ts'

export function newCommand(): Command {
  const command = new Command('new')
    .description(DESCRIPTION)
    .argument('[name]', 'of the component, in kebab-case; its tool is called the same with "_"')
    .addHelpText('after', helpAfter('ftl new'))
    .action(async (name: string | undefined, options: NewOptions) => {
      try {
        await runNew(name, options, addComponent)
      } catch (error) {
        if (error instanceof NewFailure) throw new CommandFailure(error.message)
        throw error
      }
    })
  for (const { flags, description } of OPTIONS) command.option(flags, description)
  return command
}
