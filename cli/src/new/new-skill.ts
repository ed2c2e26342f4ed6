/** `ftl new --skill NAME`: writes the skill, and prints what was written. */
import { relative } from 'node:path'
import { findManifest, NewFailure, type NewOptions, workFolder } from 'create-ftl-tool'
import { put } from '../terminal/terminal.ts'
import { type AddedSkill, addSkill } from './add-skill.ts'

export interface NewSkillOptions {
  skill?: string
  component?: string
}

/** Options that say how a tool is made, as they are typed. */
const OF_TOOLS = {
  template: '--template',
  with: '--with',
  application: '--application',
  git: '--git',
  packages: '--packages',
  rustSdk: '--rust-sdk',
} as const

/** @throws {NewFailure} before anything is written. */
export function newSkill(
  tool: string | undefined,
  name: string,
  options: NewOptions & NewSkillOptions,
): void {
  if (tool !== undefined) {
    throw new NewFailure(`a skill has one name: ftl new --skill ${name}, without "${tool}"`)
  }
  for (const [key, flag] of Object.entries(OF_TOOLS)) {
    if (options[key as keyof typeof OF_TOOLS] !== undefined) {
      throw new NewFailure(`${flag} is for tools, not for skills`)
    }
  }
  const manifest = findManifest(workFolder(options))
  if (manifest === undefined) {
    throw new NewFailure(
      'there is no spin.toml here: a skill belongs to an application; create one first, with ftl new NAME',
    )
  }
  const added = addSkill(manifest, name, options)
  const text = options.json ? JSON.stringify(added, undefined, 2) : toText(added, process.cwd())
  put(`${text}\n`)
}

function toText(added: AddedSkill, from: string): string {
  const { name, application, file, component, manifestLine, dryRun } = added
  const path = relative(from, application)
  const lines = [`${dryRun ? 'Would write' : 'Wrote'} the skill ${name}:`, `  ${file}`]
  if (manifestLine !== undefined) {
    lines.push(
      `${dryRun ? 'Would add' : 'Added'} to [component.${component}.tool.ftl] of spin.toml:`,
      `  ${manifestLine}`,
    )
  } else lines.push(`The component "${component}" serves it.`)
  if (dryRun) return lines.join('\n')
  const commands = [
    ...(path === '' ? [] : [`cd ${path}`]),
    `edit ${file}: say what it does and when to use it`,
    'npm run dev',
  ]
  return [...lines, '', 'Next:', ...commands.map((command) => `  ${command}`)].join('\n')
}
