/** Runs `ftl new`: asks for missing options, writes the files, prints the outcome. */
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { applicationFiles } from './application.ts'
import { ask, type Chosen } from './ask.ts'
import { clientFiles, clientsOf } from './clients.ts'
import { NewFailure } from './failure.ts'
import { findManifest } from './find-manifest.ts'
import { checkName } from './names.ts'
import type { NewOptions } from './options.ts'
import { type Outcome, toJson, toText } from './outcome.ts'
import { copyPackages } from './packages.ts'
import { partsOf } from './parts/parts.ts'
import { rustDependency } from './rust-crate.ts'
import { templateOf } from './template.ts'
import { checkFree, writeFolder } from './write.ts'

/** Adds a component to the application of `manifestFile`. */
export type AddComponent = (
  manifestFile: string,
  chosen: Chosen,
  options: NewOptions,
) => Promise<Outcome>

/** Makes the tool, and prints what was made. @throws {NewFailure} before anything is written. */
export async function runNew(
  name: string | undefined,
  options: NewOptions,
  addComponent: AddComponent,
): Promise<void> {
  const from = process.cwd()
  const manifestFile = options.application ? undefined : findManifest(workFolder(options))
  const application = manifestFile === undefined
  const chosen = await choose(name, options, application)
  checkName(chosen.name, { application, reserved: chosen.template.reserved })
  const outcome =
    manifestFile === undefined
      ? makeApplication(chosen, options)
      : await addComponent(manifestFile, chosen, options)
  if (outcome.kind === 'application' && !outcome.dryRun) afterwards(outcome, options)
  process.stdout.write(`${options.json ? toJson(outcome, from) : toText(outcome, from)}\n`)
}

/** The folder to work in. @throws {NewFailure} when it is not a folder. */
export function workFolder({ in: folder = '.' }: NewOptions): string {
  const absolute = resolve(folder)
  if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) {
    throw new NewFailure(`--in: there is no folder ${absolute}`)
  }
  return absolute
}

async function choose(
  name: string | undefined,
  options: NewOptions,
  application: boolean,
): Promise<Chosen> {
  const rules = { application }
  if (name !== undefined) checkName(name, rules)
  if (options.template !== undefined) templateOf(options.template)
  if (options.with !== undefined && !application) {
    throw new NewFailure('--with is for a new application; in this one: npx ftl add NAME')
  }
  if (options.client !== undefined && !application) {
    throw new NewFailure('--client is for a new application; see docs/clients.md for this one')
  }
  const parts = partsOf(options.with ?? '')
  const clients = clientsOf(options.client ?? '')
  const complete = name !== undefined && options.template !== undefined
  const mayAsk = process.stdin.isTTY && process.stdout.isTTY && !options.yes && !options.json
  if (mayAsk && !complete) {
    const terminal = { input: process.stdin, output: process.stdout }
    const { template, with: parts, client } = options
    return ask({ name, template, parts, clients: client }, rules, terminal)
  }
  if (name === undefined) {
    throw new NewFailure('give the tool a name, for example "my-tool" (--help shows more)')
  }
  return { name, template: templateOf(options.template ?? 'tool'), parts, clients }
}

function makeApplication({ name, template, parts, clients }: Chosen, options: NewOptions): Outcome {
  const folder = join(workFolder(options), name)
  const place = { application: folder, component: join(folder, 'tools', name) }
  const files = applicationFiles(name, template, {
    packages: options.packages,
    rustCrate: rustDependency(place, options.rustSdk),
  })
  for (const [path, content] of clientFiles(name, clients)) files.set(path, content)
  if (options.dryRun) checkFree(folder)
  else {
    const { packages } = options
    writeFolder(folder, files, () => {
      if (packages !== undefined) copyPackages(packages, folder)
    })
  }
  return {
    kind: 'application',
    name,
    template,
    parts: parts.map(({ id }) => id),
    clients,
    application: folder,
    folder: `tools/${name}`,
    files: [...files.keys()].sort(),
    dryRun: options.dryRun === true,
  }
}

function afterwards(outcome: Outcome, { git, install = true, json, packages }: NewOptions): void {
  // With --json, standard output is reserved for the JSON document.
  const stdio = ['ignore', json ? 2 : 1, 2] as const
  const run = (command: string, args: string[]) => {
    const shell = process.platform === 'win32'
    const { status } = spawnSync(command, args, {
      cwd: outcome.application,
      stdio: [...stdio],
      shell,
    })
    return status === 0
  }
  if (git && !run('git', ['init', '--quiet'])) complain('"git init" failed')
  if (!install) return
  process.stderr.write('Installing packages, which takes about a minute …\n')
  // npm calls a file of an optional package that it does not install corrupted, and goes on.
  const quiet = packages === undefined ? [] : ['--loglevel=error']
  outcome.installed = run('npm', ['install', '--no-audit', '--no-fund', ...quiet])
  if (!outcome.installed) {
    return complain('"npm install" failed; the files are there, so try it again')
  }
  // With an old Node, ftl fetches a newer one at its first command: here, a user is waiting for packages anyway.
  const ftl = join(outcome.application, 'node_modules', 'ftl', 'bin', 'ftl.mjs')
  spawnSync(process.execPath, [ftl, '--version'], { stdio: ['ignore', 'ignore', 2] })
  const { parts = [] } = outcome
  outcome.parts = parts.filter((part) => {
    process.stderr.write(`Adding ${part} …\n`)
    const args = [ftl, 'add', part, '--from', outcome.application]
    const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 2] })
    if (status !== 0) complain(`"ftl add ${part}" failed; the application is there without it`)
    return status === 0
  })
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
