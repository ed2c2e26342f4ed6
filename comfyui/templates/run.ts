// What `ftl workflows init` makes of ComfyUI's templates. Run: npm run templates -- --comfyui URL. See --help.
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createComfyClient } from '../src/client/index.ts'
import {
  type Converted,
  isEditorFormat,
  type ObjectInfo,
  toApiFormat,
} from '../src/editor/index.ts'
import { compareExports } from './exports.ts'
import { type Fault, FAULTS, measure, type Measured } from './measure.ts'
import { filesOf, offeredBy } from './sources.ts'
import { type Compared, compareVerdicts } from './verdicts.ts'

const HELP = `npm run templates -- --comfyui URL [FOLDER] [options]
       npm run templates -- --object-info FILE FOLDER [options]

Makes a tool of each template that the server offers in its editor, as "ftl workflows init" does, with and without what
the server says of its nodes, and counts what is wrong with the tools. FOLDER has other workflows in the format of the editor,
such as those in the PyPI package comfyui-workflow-templates-json. Nothing is run, except with --submit, and nothing is written.

  --comfyui URL       the server, for example http://127.0.0.1:8188
  --object-info FILE  a saved answer to GET /object_info of a server
  --submit            also send each workflow to the server, and count where its verdict is not that of run_workflow and
                      the linter. What it accepts is cancelled at once; use a server without keys for paid services
  --exports FOLDER    compare the conversion with exports of the editor itself, in files of the same names; see exports.ts
  --list              name the workflows of each count
  --help`

/** Milliseconds; descriptions of all classes are megabytes. */
const TIMEOUT_MS = 60_000

const TEXT_FAULTS: readonly Fault[] = [
  'noFields',
  'noPrompt',
  'someText',
  'onlyNegative',
  'wrongRole',
  'differentTexts',
]

process.exitCode = await main()

async function main(): Promise<number> {
  let parsed
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        comfyui: { type: 'string' },
        'object-info': { type: 'string' },
        submit: { type: 'boolean', default: false },
        exports: { type: 'string' },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    console.error(`${(error as Error).message}\nSee npm run templates -- --help.`)
    return 2
  }
  const { values: flags, positionals } = parsed
  const [folder] = positionals
  const { comfyui, 'object-info': file, submit, exports } = flags
  if (submit && comfyui === undefined) {
    console.error('--submit needs --comfyui URL')
    return 2
  }
  const isUsable = comfyui !== undefined || (file !== undefined && folder !== undefined)
  if (flags.help || !isUsable) {
    console.log(HELP)
    return flags.help ? 0 : 2
  }
  const info: ObjectInfo =
    comfyui === undefined
      ? (JSON.parse(await readFile(file ?? '', 'utf8')) as ObjectInfo)
      : await createComfyClient({ baseUrl: comfyui, fetch, timeoutMs: TIMEOUT_MS }).objectInfo()
  const offline = new Map<string, Measured>()
  const online = new Map<string, Measured>()
  const verdicts = new Map<string, Compared>()
  const converted = new Map<string, Converted>()
  const sources = folder === undefined ? await offeredBy(comfyui ?? '') : await filesOf(folder)
  for (const { name, read } of sources) {
    const saved = await read()
    if (!isEditorFormat(saved)) continue
    const { workflow: api, missing } = toApiFormat(saved, info)
    converted.set(name, { workflow: api, missing })
    offline.set(name, await measure(api, info, { isOffline: true }))
    online.set(name, await measure(api, info, { isOffline: false }))
    if (submit && comfyui !== undefined) {
      verdicts.set(name, await compareVerdicts(api, info, comfyui))
    }
  }
  report(offline, online, flags.list)
  if (exports !== undefined) await compareExports(converted, info, exports, flags.list)
  if (!submit) return 0
  return reportVerdicts(verdicts, flags.list) ? 0 : 1
}

/** @returns whether both say the same of every workflow. */
function reportVerdicts(verdicts: ReadonlyMap<string, Compared>, list: boolean): boolean {
  console.log('\nrun_workflow and the server')
  const kinds = new Map<string, string[]>()
  for (const [name, { ours, servers }] of verdicts) {
    const kind = `run_workflow ${ours}, the server ${servers === 'partly' ? 'runs a part' : servers}`
    kinds.set(kind, [...(kinds.get(kind) ?? []), name])
  }
  for (const [kind, names] of [...kinds].sort()) {
    console.log(`${kind.padEnd(48)}${String(names.length).padStart(16)}`)
  }
  const differs = [...verdicts].filter(([, { ours, servers }]) =>
    ours === 'accepts' ? servers !== 'accepts' : servers === 'accepts',
  )
  for (const [name, { reasons }] of list ? differs : []) {
    for (const reason of reasons) console.log(`${name}: ${reason}`)
  }
  return differs.length === 0
}

function report(
  offline: ReadonlyMap<string, Measured>,
  online: ReadonlyMap<string, Measured>,
  list: boolean,
): void {
  const row = (label: string, without: number, withServer: number) => {
    console.log(
      `${label.padEnd(48)}${String(without).padStart(16)}${String(withServer).padStart(16)}`,
    )
  }
  console.log(`${''.padEnd(48)}${'without server'.padStart(16)}${'with server'.padStart(16)}`)
  const count = (all: ReadonlyMap<string, Measured>, is: (measured: Measured) => boolean) =>
    [...all.values()].filter(is).length
  const both = (label: string, is: (measured: Measured) => boolean) => {
    row(label, count(offline, is), count(online, is))
  }
  const hasTool = ({ faults }: Measured) => !faults.includes('refused')
  const isRight = (measured: Measured) =>
    hasTool(measured) &&
    measured.hasText &&
    !measured.faults.some((fault) => TEXT_FAULTS.includes(fault))
  both('workflows', () => true)
  both('with a tool', hasTool)
  both('with a tool and a text input', (measured) => hasTool(measured) && measured.hasText)
  both('  every text has a field in the right role', isRight)
  const share = (all: ReadonlyMap<string, Measured>) =>
    (100 * count(all, isRight)) / count(all, (measured) => hasTool(measured) && measured.hasText)
  row('  that is percent', round(share(offline)), round(share(online)))
  for (const [fault, label] of Object.entries(FAULTS)) {
    both(label, ({ faults }) => faults.includes(fault as Fault))
  }
  if (!list) return
  for (const [label, all] of [
    ['without server', offline],
    ['with server', online],
  ] as const) {
    for (const [name, { notes }] of all) {
      for (const note of notes) console.log(`${label}: ${name}: ${note}`)
    }
  }
}

/** To a tenth, downwards, so that no share looks larger than it is. */
function round(percent: number): number {
  return Math.floor(percent * 10) / 10
}
