/**
 * `npm create ftl-tool`: a new application, by this package alone. Inside an application its own `ftl new` does the work,
 * because only that can read and check a `spin.toml`.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { ownVersion } from './application.ts'
import { NewFailure } from './failure.ts'
import { findManifest } from './find-manifest.ts'
import { runNew, workFolder } from './new.ts'
import { columns, DESCRIPTION, helpAfter, type NewOptions, OPTIONS } from './options.ts'

/** As it was started: `npm create ftl-tool` works once the package is published. */
const COMMAND =
  process.env['npm_command'] === 'init' ? 'npm create ftl-tool@latest' : 'create-ftl-tool'

export async function main(args: string[]): Promise<void> {
  try {
    const { name, options, help, version } = parse(args)
    if (help) return void process.stdout.write(`${helpText()}\n`)
    if (version) return void process.stdout.write(`${ownVersion()}\n`)
    const manifest = options.application ? undefined : findManifest(workFolder(options))
    if (manifest !== undefined) return delegate(manifest, args)
    await runNew(name, options, () => Promise.reject(new Error('there is no application')))
  } catch (error) {
    if (!(error instanceof NewFailure)) throw error
    process.stderr.write(`create-ftl-tool: ${error.message}\n`)
    process.exitCode = 1
  }
}

function delegate(manifest: string, args: string[]): void {
  const folder = dirname(manifest)
  const ftl = commandOf(folder)
  if (ftl === undefined) {
    throw new NewFailure(
      `${manifest} is an application, and its "ftl" is not installed.\n` +
        `Run "npm install" in ${folder} first, or make an application of its own with --application.`,
    )
  }
  const { status } = spawnSync(process.execPath, [ftl, 'new', ...args], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}

function commandOf(folder: string): string | undefined {
  const paths = createRequire(join(folder, 'package.json')).resolve.paths('ftl') ?? []
  return paths.map((path) => join(path, 'ftl', 'bin', 'ftl.mjs')).find((file) => existsSync(file))
}

function parse(args: string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'V' },
  }
  for (const { flags } of OPTIONS) {
    const [, short, name = '', argument] = /^(?:-(\w), )?--([a-z-]+)( <)?/.exec(flags) ?? []
    options[name] = { type: argument ? 'string' : 'boolean', ...(short && { short }) }
  }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (positionals.length > 1) throw new TypeError(`one name, not ${positionals.length}`)
    const { help, version, 'no-install': noInstall, ...rest } = values
    const camelCase = Object.entries(rest).map(([name, value]) => [
      name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ])
    const parsed = Object.fromEntries(camelCase) as NewOptions
    if (noInstall) parsed.install = false
    return { name: positionals[0], options: parsed, help, version }
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new NewFailure(`${reason}\n(see --help)`)
  }
}

function helpText(): string {
  return `${DESCRIPTION}

Usage: ${COMMAND} [name]${COMMAND.startsWith('npm') ? ' --' : ''} [options]

Options:
${columns(OPTIONS.map(({ flags, description }) => [flags, description.replaceAll('`', '')]))}
${helpAfter(COMMAND)}`
}
