import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Command } from 'commander'
import { CommandFailure } from '../terminal/failure.ts'
import { separateStores } from '../spin-config/separate-stores.ts'
import { warningOf, whoMayCall } from '../spin-config/who-may-call.ts'
import { loadApplication } from '../application/load-application.ts'
import { line } from '../terminal/ui.ts'
import { fromOption } from './options.ts'

/** Beside the manifest, because its paths are relative to it. */
const MANIFEST = 'spin-separate.toml'
const RUNTIME_CONFIG = 'spin-separate-runtime.toml'

const EXAMPLES = `
Examples:
  ftl spin-config                   write both files beside spin.toml
  ftl spin-config --from my-tools   beside the one of my-tools`

interface SpinConfigFlags {
  from: string
}

export function spinConfigCommand(): Command {
  return new Command('spin-config')
    .description(
      'Write a manifest and a runtime configuration that give each component its own stores on Spin',
    )
    .addOption(fromOption())
    .addHelpText('after', EXAMPLES)
    .action(async ({ from }: SpinConfigFlags) => {
      const { manifest } = await loadApplication(from)
      const files = separateStores(await readFile(manifest.file, 'utf8'), manifest)
      const write = async (name: string, text: string) => {
        const path = join(manifest.folder, name)
        await writeFile(path, text)
        return relative(process.cwd(), path)
      }
      const written = await write(MANIFEST, files.manifest)
      const { manifest: read } = await loadApplication(written).catch((error: unknown) => {
        throw new CommandFailure(`${written} cannot be read: ${String(error)}`)
      })
      const config = await write(RUNTIME_CONFIG, files.runtimeConfig)
      line(
        `Wrote ${written} and ${config} for ${read.components.size} components. Serve them with:`,
      )
      line(`  spin up --from ${written} --runtime-config-file ${config}`)
      for (const warning of warningOf(whoMayCall(manifest))) line(warning)
    })
}
