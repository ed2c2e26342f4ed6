import { resolve, join } from 'node:path'
import { Command, Option } from 'commander'
import {
  backUp,
  BackupError,
  type Copied,
  loadRuntimeConfig,
  restore,
  StateDirInUseError,
  type StatePlaces,
} from 'ftl-host'
import { loadApplication } from '../application/load-application.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { line } from '../terminal/ui.ts'
import { fromOption } from './options.ts'

interface PlaceFlags {
  from: string
  stateDir?: string
  runtimeConfigFile?: string
}

/** `ftl backup`: the entries of all stores in one file, while the application is served. */
export function backupCommand(): Command {
  return withPlaces(
    new Command('backup')
      .description(
        'Write the key-value entries of the application into one file, also while it is served',
      )
      .argument(
        '<file>',
        'the backup, a SQLite database with the table of Spin; it must not exist',
      ),
  )
    .addHelpText(
      'after',
      `
Examples:
  ftl backup monday.db                            the application of this folder
  ftl backup monday.db --state-dir /var/lib/ftl   with the --state-dir of ftl up`,
    )
    .action(async (file: string, flags: PlaceFlags) => {
      const copied = await attempt(async () => backUp(await placesOf(flags), resolve(file)))
      line(`Wrote ${file}: ${count(copied)}. It contains what callers stored: keep it private.`)
      for (const text of elsewhere(copied)) line(text)
    })
}

/** `ftl restore`: the reverse, while the application is not served. */
export function restoreCommand(): Command {
  return withPlaces(
    new Command('restore')
      .description(
        'Write the entries of a backup into the stores of the application, which must not be served',
      )
      .argument('<file>', 'what `ftl backup` wrote, or the database of a Spin'),
  )
    .option(
      '--replace',
      'delete the entries that are there; without it, they are a reason to refuse',
    )
    .addHelpText(
      'after',
      `
Examples:
  ftl restore monday.db                           into an application without entries
  ftl restore monday.db --replace                 instead of the entries that are there`,
    )
    .action(
      async (file: string, { replace = false, ...flags }: PlaceFlags & { replace?: boolean }) => {
        const copied = await attempt(async () =>
          restore(resolve(file), await placesOf(flags), { replace }),
        )
        line(`Restored ${file}: ${count(copied)}`)
        for (const text of elsewhere(copied)) line(text)
      },
    )
}

/** The options of `ftl up` that say where the entries are. */
function withPlaces(command: Command): Command {
  return command
    .addOption(fromOption())
    .addOption(
      new Option('--state-dir <path>', 'folder of the key-value database').default(
        undefined,
        '`.spin` beside `spin.toml`',
      ),
    )
    .addOption(
      new Option(
        '--runtime-config-file <path>',
        'the one of `ftl up`, which may define more stores',
      ).env('RUNTIME_CONFIG_FILE'),
    )
}

async function placesOf({ from, stateDir, runtimeConfigFile }: PlaceFlags): Promise<StatePlaces> {
  const { manifest } = await loadApplication(from, [], { withMissing: true })
  const config =
    runtimeConfigFile === undefined ? undefined : await loadRuntimeConfig(runtimeConfigFile)
  return {
    stateDir: stateDir ?? config?.stateDir ?? join(manifest.folder, '.spin'),
    stores: config?.stores ?? {},
  }
}

async function attempt(work: () => Promise<Copied>): Promise<Copied> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StateDirInUseError) {
      throw new CommandFailure(
        `${error.stateDir} is in use: stop the application, and restore again`,
      )
    }
    if (error instanceof BackupError) throw new CommandFailure(error.message)
    throw error
  }
}

const count = ({ entries }: Pick<Copied, 'entries'>) =>
  `${entries} ${entries === 1 ? 'entry' : 'entries'}`

function elsewhere({ elsewhere: labels, left }: Copied): string[] {
  const lines = labels.map(
    (label) => `The store "${label}" is in Redis, which has backups of its own.`,
  )
  if (left > 0)
    lines.push(`Not restored, because their store is in Redis: ${count({ entries: left })}.`)
  return lines
}
