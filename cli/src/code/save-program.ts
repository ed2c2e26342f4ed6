/** `ftl code save`: makes a tool of a program, in the application of the working folder. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkName, findManifest, NewFailure, type Outcome, type Template } from 'create-ftl-tool'
import { parseManifest } from 'ftl-host'
import { addComponent } from '../new/add-component.ts'
import {
  callArguments,
  PROGRAM_FILE,
  programFile,
  type SavedProgram,
  savedFiles,
} from './saved-program-files.ts'
import { nameProgram } from './saved-programs-list.ts'

export interface SaveOptions {
  dryRun?: boolean | undefined
  /** Changes the program of a tool that was saved before. @default false */
  replace?: boolean | undefined
}

/** What is not given stays as it was saved before. */
export type Given = Pick<SavedProgram, 'name' | 'code'> & Partial<SavedProgram>

/** @throws {NewFailure} and has then written nothing. */
export async function saveProgram(
  given: Given,
  from: string,
  { dryRun = false, replace = false }: SaveOptions,
): Promise<Outcome> {
  const { name, code, description, inputSchema = { type: 'object' } } = given
  checkName(name)
  checkText(code)
  const manifestFile = findManifest(from)
  if (manifestFile === undefined) {
    throw new NewFailure(`there is no spin.toml in ${from} or above it: go to an application`)
  }
  if (replace) return replaceProgram(given, manifestFile, dryRun)
  if (description === undefined) {
    throw new NewFailure('--description must say what the tool does: models choose tools by it')
  }
  const program: SavedProgram = { ...given, description, inputSchema }
  return addComponent(
    manifestFile,
    { name, template: templateFor(program) },
    { dryRun },
    {
      files: savedFiles(program),
      prepare: (text, manifest) => nameProgram(text, manifest, name),
    },
  )
}

/** Bytes of a program that the code component takes by default. */
const LONGEST = 100_000

function checkText(code: string): void {
  if (code.trim() === '') throw new NewFailure('the program is empty')
  if (code.includes('\0')) throw new NewFailure('the program has the character NUL')
  if (code.includes('\ufffd')) throw new NewFailure('the program is not UTF-8')
  const bytes = Buffer.byteLength(code)
  if (bytes > LONGEST) {
    throw new NewFailure(`the program has ${bytes} bytes, and may have ${LONGEST}`)
  }
}

function templateFor({ inputSchema }: SavedProgram): Template {
  return {
    id: 'program',
    title: 'a saved program',
    packages: [],
    variables: {},
    tryWith: callArguments(inputSchema),
    component: ({ id, folder }) => ({
      id,
      source: `dist/${id}.wasm`,
      allowedOutboundHosts: [],
      keyValueStores: [],
      files: [],
      variables: {},
      build: { command: 'npx ftl build', watch: [`${folder}/src/**/*`] },
      entry: `${folder}/src/main.ts`,
      hints: ['It needs no rights: the gateway runs its program, with those of the caller.'],
    }),
  }
}

function replaceProgram(given: Given, manifestFile: string, dryRun: boolean): Outcome {
  const { name } = given
  const { components, folder } = parseManifest(readFileSync(manifestFile, 'utf8'), manifestFile)
  const entry = components.get(name)?.tool['ftl']?.['entry']
  const own = typeof entry === 'string' ? dirname(dirname(entry)) : undefined
  if (own === undefined || !existsSync(join(folder, own, PROGRAM_FILE))) {
    throw new NewFailure(`spin.toml has no saved program "${name}"; save it without --replace`)
  }
  const path = `${own}/${PROGRAM_FILE}`
  const before = JSON.parse(readFileSync(join(folder, path), 'utf8')) as SavedProgram
  const program: SavedProgram = { ...before, ...withoutUndefined(given) }
  if (!dryRun) writeFileSync(join(folder, path), programFile(program))
  const template = templateFor(program)
  return {
    kind: 'component',
    name,
    template,
    application: folder,
    folder: own,
    files: [path],
    dryRun,
  }
}

function withoutUndefined(given: Given): Given {
  return JSON.parse(JSON.stringify(given)) as Given
}
