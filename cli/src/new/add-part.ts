/** `ftl add PART`: a part that comes with ftl, with its routes, variables, hosts and stores. */
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  checkFree,
  type ComponentSpec,
  NewFailure,
  type Part,
  PARTS_PACKAGE,
  variablesOf,
  writeFolder,
} from 'create-ftl-tool'
import { type Manifest, parseManifest } from 'ftl-host'
import { onlyGateway } from '../declarations/gateway-of.ts'
import { readManifest, replaceManifest } from './add-component.ts'
import { editManifest } from './edit-manifest.ts'
import { installCommand } from './own-packages.ts'
import { NotEditable } from './tool-list.ts'
import { verifyEdit } from './verify-edit.ts'

export interface AddedPart {
  /** The lines that `spin.toml` got. */
  lines: string[]
  /** Files with its settings, from the application's folder. */
  files: string[]
  /** Folders with settings that `ftl remove` has left. */
  kept: string[]
}

/** @throws {NewFailure | ManifestError} and has then written nothing. */
export function addPart(manifestFile: string, part: Part): AddedPart {
  const file = realpathSync(manifestFile)
  const before = readManifest(file)
  let manifest = parseManifest(before, file)
  const there = part.components.filter(({ spec }) => manifest.components.has(spec.id))
  if (there.length > 0) {
    const names = there.map(({ spec }) => `"${spec.id}"`).join(', ')
    throw new NewFailure(`spin.toml has ${part.title} already: ${names}`)
  }
  const gateway = onlyGateway(manifest)
  if (!gateway) {
    throw new NewFailure(`${file} has no gateway of its own, so ${part.title} cannot be added`)
  }
  refuseTakenRoutes(manifest, part)
  const source = sourceOf(manifest.folder)
  const folders = part.components.flatMap(({ spec, folders }) =>
    folders.map((folder) => ({
      path: `tools/${spec.id}/${folder}`,
      files: filesIn(join(source, spec.id, folder)),
    })),
  )
  const kept = folders.filter(({ path }) => hasFiles(join(manifest.folder, path)))
  const added = folders.filter((each) => !kept.includes(each))
  for (const { path } of added) checkFree(join(manifest.folder, path))
  let text = before
  const lines: string[] = []
  for (const { spec, hasTools } of part.components) {
    const addition = {
      component: callsGateway(spec, gateway.id),
      hasTools,
      variables: variablesOf(part),
    }
    const edited = edit(text, manifest, addition)
    text = edited.text
    manifest = parseManifest(text, file)
    lines.push(...edited.lines, '')
  }
  write(manifest, added, () => replaceManifest(file, before, text))
  return {
    lines: lines.slice(0, -1),
    files: added.flatMap(({ path, files }) => [...files.keys()].map((name) => `${path}/${name}`)),
    kept: kept.map(({ path }) => path),
  }
}

type Addition = Parameters<typeof editManifest>[2]

function edit(text: string, manifest: Manifest, addition: Addition) {
  try {
    const edited = editManifest(text, manifest, addition)
    verifyEdit(manifest, edited.text, addition)
    return edited
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error
    throw new NewFailure(
      `${manifest.file} cannot be extended: ${error.message}. Nothing was written.`,
    )
  }
}

/** Of the same route twice the later one counts: a page of the application would no longer be reached. @throws {NewFailure} */
function refuseTakenRoutes({ triggers }: Manifest, part: Part): void {
  const routes = part.components.flatMap(({ spec }) => spec.routes ?? [])
  const taken = triggers.filter(({ route }) => route !== undefined && routes.includes(route))
  if (taken.length === 0) return
  const names = taken.map(({ route, target }) =>
    'component' in target ? `"${route}" of "${target.component}"` : `"${route}"`,
  )
  throw new NewFailure(
    `${part.title} needs routes that spin.toml has already: ${names.join(', ')}. Give these components other routes first.`,
  )
}

/** A gateway may have another name. */
function callsGateway(spec: ComponentSpec, gateway: string): ComponentSpec {
  const allowedOutboundHosts = spec.allowedOutboundHosts.map((host) =>
    host.replace('//mcp-gateway.', `//${gateway}.`),
  )
  return { ...spec, allowedOutboundHosts }
}

/** Where the package of the parts is installed. @throws {NewFailure} */
function sourceOf(folder: string): string {
  const { resolve } = createRequire(join(folder, 'package.json'))
  const found = (resolve.paths(PARTS_PACKAGE) ?? [])
    .map((path) => join(path, PARTS_PACKAGE))
    .find((path) => existsSync(join(path, 'web/index.js')))
  if (found !== undefined) return found
  throw new NewFailure(
    `the package ${PARTS_PACKAGE} is not installed here. Run "${installCommand(PARTS_PACKAGE, folder)}" first.`,
  )
}

function filesIn(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

const hasFiles = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
  readdirSync(folder).length > 0

interface Folder {
  path: string
  files: ReadonlyMap<string, string>
}

/** The manifest last: with an error, nothing is left. */
function write(manifest: Manifest, folders: readonly Folder[], finish: () => void): void {
  const written: string[] = []
  try {
    for (const { path, files } of folders) {
      const place = join(manifest.folder, path)
      writeFolder(place, files)
      written.push(place)
    }
    finish()
  } catch (error) {
    for (const place of written) rmSync(place, { recursive: true, force: true })
    throw error
  }
}
