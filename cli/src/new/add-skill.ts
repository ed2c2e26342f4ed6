/** `ftl new --skill`: a folder with a `SKILL.md`, and the component that serves it named in `spin.toml`. */
import { realpathSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { checkFree, NewFailure, type NewOptions, quote, writeFolder } from 'create-ftl-tool'
import { SKILL_FILE } from 'ftl-contract'
import { type ComponentManifest, type Manifest, parseManifest } from 'ftl-host'
import { onlyGateway } from '../declarations/gateway-of.ts'
import { readManifest, replaceManifest } from './add-component.ts'
import { applyEdits } from './edit-manifest.ts'
import { skillText, skillNameProblem } from './skill-text.ts'
import { readToolList } from './tool-list.ts'
import { pathKey, scanToml } from './toml-spans.ts'
import { verifyTable } from './verify-edit.ts'

export interface AddedSkill {
  name: string
  /** Absolute path of the application. */
  application: string
  /** Of its `SKILL.md`, from the application's folder. */
  file: string
  /** The component that serves it. */
  component: string
  /** The line that `spin.toml` got. @default its component has this folder already */
  manifestLine?: string
  dryRun: boolean
}

export interface SkillOptions extends Pick<NewOptions, 'dryRun' | 'filesOnly'> {
  /** @default one that has skills already, or else the first tool component that is built here */
  component?: string
}

/** Where the skills of an application are that has none yet. */
const FOLDER = 'skills'

/** @throws {NewFailure | ManifestError} and has then written nothing. */
export function addSkill(
  manifestFile: string,
  name: string,
  { component, dryRun = false, filesOnly = false }: SkillOptions,
): AddedSkill {
  const problem = skillNameProblem(name)
  if (problem !== undefined) throw new NewFailure(`the name ${problem}`)
  const file = realpathSync(manifestFile)
  const before = readManifest(file)
  const manifest = parseManifest(before, file)
  const serving = servingComponent(manifest, component)
  const known = folderOfSkills(manifest, serving)
  const folder = `${known ?? FOLDER}/${name}`
  const place = join(manifest.folder, folder)
  const outside = relative(manifest.folder, resolve(place)).startsWith('..')
  if (outside) throw new NewFailure(`${folder} must be in the folder of spin.toml`)
  checkFree(place)
  const isNamed = known !== undefined || filesOnly
  const edited = isNamed ? undefined : withFolder(before, manifest, serving)
  if (!dryRun) {
    writeFolder(place, new Map([[SKILL_FILE, skillText(name)]]), () => {
      if (edited) replaceManifest(file, before, edited.text)
    })
  }
  return {
    ...{ name, application: manifest.folder, file: `${folder}/${SKILL_FILE}` },
    ...{ component: serving.id, dryRun },
    ...(edited && { manifestLine: edited.line }),
  }
}

const tableOf = ({ tool }: ComponentManifest) => tool['ftl'] ?? {}

/** Whether `ftl build` makes it of a source of this application, which serves what is put beside it. */
function mayServe(each: ComponentManifest): boolean {
  const { entry, members } = tableOf(each)
  return typeof entry === 'string' && members === undefined && /\.[mc]?[jt]sx?$/.test(entry)
}

function servingComponent(manifest: Manifest, wanted: string | undefined): ComponentManifest {
  const { components } = manifest
  if (wanted !== undefined) {
    const found = components.get(wanted)
    const names = [...components.keys()].join(', ')
    if (!found) throw new NewFailure(`--component: spin.toml has no "${wanted}"; it has ${names}`)
    if (mayServe(found) && onlyGateway(manifest)?.id !== wanted) return found
    throw new NewFailure(
      `--component: "${wanted}" cannot serve skills: it must be built of a TypeScript or JavaScript file, and not be the gateway`,
    )
  }
  const asked = readToolList(manifest).flatMap((id) => components.get(id.split('@')[0] ?? '') ?? [])
  const usable = asked.filter(mayServe)
  const found = usable.find((each) => Array.isArray(tableOf(each)['skills'])) ?? usable[0]
  if (found) return found
  throw new NewFailure(
    'no tool component is built of a TypeScript or JavaScript file here: create one first, with ftl new NAME',
  )
}

/** @returns a folder with skills in it that the component has. @throws {NewFailure} if it has skills of another kind. */
function folderOfSkills({ folder }: Manifest, component: ComponentManifest): string | undefined {
  const { skills } = tableOf(component)
  if (skills === undefined) return undefined
  const isPlain = (each: unknown): each is string => typeof each === 'string' && each !== ''
  const folders = Array.isArray(skills) ? skills.filter(isPlain) : []
  const found = folders.find((each) => !isFile(join(folder, each, SKILL_FILE)))
  if (found !== undefined) return found.replace(/^\.\/|\/+$/g, '')
  throw new NewFailure(
    `"${component.id}" has skills = ${JSON.stringify(skills)}, in which no folder holds several skills: add ${quote(FOLDER)} to the list by hand, or name another component with --component`,
  )
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function withFolder(text: string, manifest: Manifest, { id }: ComponentManifest) {
  const line = `skills = [${quote(FOLDER)}]`
  const at = scanToml(text).tableEnds.get(pathKey('component', id, 'tool', 'ftl'))
  if (at === undefined) {
    throw new NewFailure(
      `${manifest.file} has no table [component.${id}.tool.ftl]. Nothing was written. Write ${line} there by hand, and use --files-only`,
    )
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const edited = applyEdits(text, [{ from: at, to: at, text: `${eol}${line}` }])
  verifyTable(manifest, edited, id, { skills: [FOLDER] })
  return { text: edited, line }
}
