import { Command } from 'commander'
import {
  DESCRIPTION,
  helpAfter,
  NewFailure,
  type NewOptions,
  OPTIONS,
  runNew,
} from 'create-ftl-tool'
import { newSkill, type NewSkillOptions } from '../new/new-skill.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { addComponent } from '../new/add-component.ts'

export function newCommand(): Command {
  const command = new Command('new')
    .description(DESCRIPTION)
    .argument('[name]', 'of the component, in kebab-case; its tool is called the same with "_"')
    .addHelpText('after', helpAfter('ftl new'))
    .action(async (name: string | undefined, options: NewOptions & NewSkillOptions) => {
      try {
        if (options.skill === undefined) await runNew(name, withoutComponent(options), addComponent)
        else newSkill(name, options.skill, options)
      } catch (error) {
        if (error instanceof NewFailure) throw new CommandFailure(error.message)
        throw error
      }
    })
  for (const { flags, description } of [...OPTIONS, ...SKILL_OPTIONS]) {
    command.option(flags, description)
  }
  return command
}

const SKILL_OPTIONS = [
  {
    flags: '--skill <name>',
    description:
      'create a skill in place of a tool: the folder `skills/NAME` with a `SKILL.md` (docs/skills.md)',
  },
  {
    flags: '--component <id>',
    description:
      'with `--skill`: the component that serves it (one that has skills, else the first tool component)',
  },
]

/** @throws {NewFailure} */
function withoutComponent<O extends NewSkillOptions>(options: O): O {
  if (options.component === undefined) return options
  throw new NewFailure('--component is for --skill')
}
