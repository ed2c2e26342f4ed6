/** Compares a real server with the simulator, probe by probe. */
import { type CompareOptions, differences } from '../simulator/compare-recording.ts'
import { type Answer, ask, run, Unusable } from './ask.ts'
import { type Probe, READS, REJECTED, results, UPLOADS, workflow } from './probes.ts'

/** Something that the two servers do not do alike. */
export interface Difference {
  /** The probe. */
  probe: string
  /** Where: `status`, a header, or a path in the body or the messages. */
  field: string
  real: string
  simulator: string
}

export interface Comparison {
  differences: Difference[]
  /** Probes that both were asked. */
  probes: number
  /** Why some were left out. */
  skipped: string[]
}

export interface ServersOptions {
  /** Runs prompts although others are waiting. @default false */
  evenIfBusy?: boolean
  /** Called before each probe. */
  onProbe?: (name: string) => void
}

/** What is different where nothing is: the count of a server that saved files before, and the size of another encoder's PNG. */
const COUNTER = /_\d{5}_(?=\.png"$)|(?<=^bytes .*\/)\d+$/
const HEADERS = ['content-type', 'content-disposition', 'accept-ranges', 'content-range', 'allow']
/** Beyond this a server is another program; the rest would not be read. */
const MAX_DIFFERENCES = 500
const MAX_DEPTH = 40

/**
 * Asks both servers the same, one after the other.
 *
 * On the real server it runs one small prompt twice, saves one file in the output folder and one in the input folder.
 * It cancels and deletes nothing that is not its own.
 *
 * @throws {Unusable} if one of them cannot be asked.
 */
export async function compareServers(
  real: string,
  simulator: string,
  options: ServersOptions = {},
): Promise<Comparison> {
  const found: Difference[] = []
  let probes = 0
  const both = async (probe: Probe, ofSimulator = probe): Promise<void> => {
    options.onProbe?.(probe.name)
    probes++
    const answers = [await ask(real, probe), await ask(simulator, ofSimulator)] as const
    if (found.length < MAX_DIFFERENCES) found.push(...compareAnswers(probe, ...answers))
  }
  for (const probe of [...READS, ...REJECTED]) await both(probe)

  const waiting = await remaining(real)
  if (waiting > 0 && !options.evenIfBusy) {
    return {
      differences: found,
      probes,
      skipped: [
        `prompts and uploads, because ${waiting === 1 ? '1 prompt is' : `${waiting} prompts are`} waiting on the server; use --even-if-busy`,
      ],
    }
  }
  for (const probe of UPLOADS) await both(probe)
  const prompt = workflow(Math.floor(Math.random() * 0xffffff))
  // The second finds everything cached.
  for (const name of ['a prompt', 'the same prompt, cached']) {
    options.onProbe?.(name)
    probes++
    const ids = {
      promptId: crypto.randomUUID(),
      clientId: crypto.randomUUID().replaceAll('-', ''),
    }
    const left = await run(real, prompt, ids)
    const right = await run(simulator, prompt, ids)
    found.push(
      ...compareAnswers({ name, path: '', compared: 'shape' }, left.submitted, right.submitted),
      ...compareValues(name, left.messages, right.messages),
    )
    const files = [await savedFile(real, ids.promptId), await savedFile(simulator, ids.promptId)]
    if (name !== 'a prompt') continue
    const [ofReal = [], ofSimulator = []] = files.map((file) => results(ids.promptId, file))
    for (const [index, probe] of ofReal.entries()) await both(probe, ofSimulator[index])
  }
  return { differences: found.slice(0, MAX_DIFFERENCES), probes, skipped: [] }
}

/** @throws {Unusable} if the server is not a ComfyUI. */
export async function versionOf(url: string): Promise<string> {
  const { status, body } = await ask(url, { name: '', path: '/api/system_stats' })
  const system = (body as { system?: { comfyui_version?: unknown } } | null)?.system
  if (status !== 200 || typeof system?.comfyui_version !== 'string') {
    throw new Unusable('GET /api/system_stats has no ComfyUI version: is it a ComfyUI?')
  }
  return system.comfyui_version
}

/** Milliseconds until a prompt that has ended is in the history. */
const HISTORY_MS = 10_000

/** Waits for the prompt to be in the history. @returns the name of its file. @throws {Unusable} */
async function savedFile(url: string, promptId: string): Promise<string> {
  interface Entry {
    status?: unknown
    outputs?: Record<string, { images?: { filename?: unknown }[] }>
  }
  for (const end = performance.now() + HISTORY_MS; performance.now() < end;) {
    const { body } = await ask(url, { name: '', path: `/api/history/${promptId}` })
    const entry = (body as Record<string, Entry> | null)?.[promptId]
    const [image] = Object.values(entry?.outputs ?? {}).flatMap(({ images }) => images ?? [])
    if (typeof image?.filename === 'string') return image.filename
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Unusable('the prompt ended, and its file is not in the history')
}

async function remaining(url: string): Promise<number> {
  const { body } = await ask(url, { name: '', path: '/api/prompt' })
  const info = (body as { exec_info?: { queue_remaining?: unknown } } | null)?.exec_info
  return typeof info?.queue_remaining === 'number' ? info.queue_remaining : 0
}

function compareAnswers(
  { name, compared = 'all', varying }: Probe,
  real: Answer,
  simulator: Answer,
): Difference[] {
  const found: Difference[] = []
  const add = (
    field: string,
    left: string | number | undefined,
    right: string | number | undefined,
  ) => {
    if (left !== right)
      found.push({ probe: name, field, real: shown(left), simulator: shown(right) })
  }
  add('status', real.status, simulator.status)
  if (compared === 'status') return found
  for (const header of HEADERS) {
    const [left, right] = [real, simulator].map(({ headers }) => headers.get(header) ?? undefined)
    if (left?.replace(COUNTER, '') !== right?.replace(COUNTER, '')) add(header, left, right)
  }
  if (compared === 'head') return found
  if (compared === 'kind') {
    add('body', kindOf(real.body), kindOf(simulator.body))
    return found
  }
  const options = { used: compared === 'shape', ...(varying && { varying }) }
  return [...found, ...compareValues(name, real.body, simulator.body, options)]
}

function compareValues(
  probe: string,
  real: unknown,
  simulator: unknown,
  options: CompareOptions = { used: true },
): Difference[] {
  const tooDeep = [real, simulator].some((value) => depthOf(value) > MAX_DEPTH)
  if (tooDeep) return [{ probe, field: '$', real: 'nested too deeply to compare', simulator: '' }]
  return differences(real, simulator, options)
    .slice(0, MAX_DIFFERENCES)
    .map((text) => {
      const at = text.indexOf(': ')
      return { probe, field: text.slice(0, at), ...sides(text.slice(at + 2)) }
    })
}

function sides(text: string): { real: string; simulator: string } {
  if (text === 'missing') return { real: 'there', simulator: 'missing' }
  const [left = '', ...right] = text.split(', got ')
  return {
    real: printable(
      left.replace(/^(?:not )?recorded/, (word) => (word === 'recorded' ? '' : 'missing')).trim(),
    ),
    simulator: printable(right.join(', got ')),
  }
}

// Without recursion: the value is a stranger's.
function depthOf(value: unknown): number {
  let depth = 0
  let level: unknown[] = [value]
  while (level.length > 0 && depth <= MAX_DEPTH) {
    depth++
    level = level.flatMap((one): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    )
  }
  return depth
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}

function shown(value: string | number | undefined): string {
  return value === undefined ? 'missing' : printable(String(value).slice(0, 160))
}

/** For a terminal: a server could send sequences that change it. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?').slice(0, 200)
}
