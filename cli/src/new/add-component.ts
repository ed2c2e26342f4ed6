/** `ftl new` inside an application: a folder beside the other components', and their manifest extended. */
import { randomUUID } from 'node:crypto'
import {
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  checkFree,
  type Chosen,
  neededPackages,
  NewFailure,
  type NewOptions,
  type Outcome,
  ownPackages,
  renderComponent,
  renderVariable,
  rustDependency,
  type Template,
  templateFiles,
  toolName,
  writeFolder,
} from 'create-ftl-tool'
import { type Manifest, parseManifest } from 'ftl-host'
import { packedHere } from './own-packages.ts'
import { readRecords } from '../running/record.ts'
import { type Addition, type EditedManifest, editManifest } from './edit-manifest.ts'
import { NotEditable, toolTaken } from './tool-list.ts'
import { verifyEdit } from './verify-edit.ts'

/** What is added besides, or instead of the template's files. */
export interface Extras {
  /** @default those of the template */
  files: ReadonlyMap<string, string>
  /** Another change of the manifest, before the component is added. @throws {NotEditable | NewFailure} */
  prepare: (text: string, manifest: Manifest) => EditedManifest
}

/** @throws {NewFailure | ManifestError} and has then written nothing. */
export async function addComponent(
  manifestFile: string,
  { name, template }: Pick<Chosen, 'name' | 'template'>,
  options: NewOptions,
  extras?: Extras,
): Promise<Outcome> {
  const file = realpathSync(manifestFile)
  const before = readManifest(file)
  const prepared = extras?.prepare(before, parseManifest(before, file))
  const text = prepared?.text ?? before
  const manifest = parseManifest(text, file)
  const folder = `${componentsFolder(manifest)}/${name}`
  const place = join(manifest.folder, folder)
  const addition = {
    component: template.component({ id: name, folder }),
    variables: template.variables,
  }
  const edited = options.filesOnly ? undefined : edit(text, manifest, addition)
  checkFree(place)
  const where = { application: manifest.folder, component: place }
  const rustCrate = extras ? '' : rustDependency(where, options.rustSdk)
  const files = extras?.files ?? templateFiles(template, name, { rustCrate })
  if (!options.dryRun) {
    writeFolder(place, files, () => {
      if (edited) replaceManifest(file, before, edited.text)
    })
  }
  return {
    kind: 'component',
    name,
    template,
    application: manifest.folder,
    folder,
    files: [...files.keys()].map((path) => `${folder}/${path}`).sort(),
    manifestLines: edited && [...(prepared?.lines ?? []), ...edited.lines],
    missing: missingPackages(manifest.folder, template, options),
    served: readRecords(manifest.folder).some(({ development }) => development),
    dryRun: options.dryRun === true,
  }
}

/** @throws {NewFailure} */
export function readManifest(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch {
    throw new NewFailure(`${file} cannot be read as UTF-8`)
  }
}

/** The folder most components have theirs in: `components` of `components/echo/src/main.ts`. @default 'tools' */
function componentsFolder({ components }: Manifest): string {
  const counts = new Map<string, number>()
  for (const { id, tool } of components.values()) {
    const entry = tool['ftl']?.['entry']
    const [, parent, own] = /^(?:\.\/)?([\w.-]+)\/([\w.-]+)\//.exec(String(entry)) ?? []
    if (parent !== undefined && own === id) counts.set(parent, (counts.get(parent) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? 'tools'
}

function edit(text: string, manifest: Manifest, addition: Addition): EditedManifest {
  const { id, source } = addition.component
  if (manifest.components.has(id)) {
    throw new NewFailure(`spin.toml has a component "${id}" already; choose another name`)
  }
  const same = [...manifest.components.values()].find((each) => each.source === source)
  if (same) {
    throw new NewFailure(`"${same.id}" is built to ${source} already; choose another name`)
  }
  const taken = toolTaken(manifest, toolName(id))
  if (taken) {
    throw new NewFailure(
      `"${taken.component}" has a tool ${toolName(id)} already (${taken.file}); choose another name`,
    )
  }
  try {
    const edited = editManifest(text, manifest, addition)
    verifyEdit(manifest, edited.text, addition)
    return edited
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error
    throw new NewFailure(byHand(manifest.file, error.message, addition))
  }
}

function byHand(file: string, reason: string, { component, variables }: Addition): string {
  const lines = renderComponent(component).map((line) => (line === '' ? '' : `  ${line}`))
  const needed = Object.entries(variables).map((each) => `  ${renderVariable(each)}`)
  return [
    `${file} cannot be extended: ${reason}. Nothing was written.`,
    'Write the files alone with --files-only, and these lines by hand:',
    '',
    ...lines,
    ...(needed.length > 0
      ? ['', 'in [variables], unless they are there already:', '', ...needed]
      : []),
    '',
    `and name "${component.id}" in the gateway's variable tool_components.`,
    'For a new application, with a gateway of its own: --application.',
  ].join('\n')
}

/** @throws {NewFailure} when the file has changed since it was read. */
export function replaceManifest(file: string, before: string, after: string): void {
  if (readManifest(file) !== before) {
    throw new NewFailure(`${file} has changed in the meantime, so nothing was written; try again`)
  }
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, after, { flag: 'wx', mode: statSync(file).mode })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** What the application has not installed, as `npm install` takes it. */
function missingPackages(folder: string, template: Template, { packages }: NewOptions): string[] {
  const packed = packages === undefined ? packedHere(folder) : ownPackages(packages)
  const { resolve } = createRequire(join(folder, 'package.json'))
  const installed = (name: string) =>
    (resolve.paths(`${name}/package.json`) ?? []).some((path) => existsSync(join(path, name)))
  return neededPackages(template)
    .filter((name) => !installed(name))
    .map((name) => packed?.get(name) ?? name)
}
