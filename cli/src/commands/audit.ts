import { Command, InvalidArgumentError, Option } from 'commander'
import { AuditFile, AuditFileError } from 'ftl-host'
import { readLines } from '../audit/read-lines.ts'
import { OpenCalls } from '../audit/open-calls.ts'
import {
  describeEntry,
  type Fields,
  isShownEntry,
  parseSince,
  type ShowFilter,
} from '../audit/show.ts'
import { type Finding, verifyChain } from '../audit/verify.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { note } from '../terminal/terminal.ts'
import { line, paint } from '../terminal/ui.ts'
import { visible, visibleJson } from '../terminal/visible-text.ts'

const EXAMPLES = `
Examples:
  ftl audit verify audit.jsonl                        check that no line was removed or changed
  ftl audit verify audit.jsonl.* audit.jsonl          a log of several files, the oldest first
  ftl audit show audit.jsonl --denied --since 24h     what was not allowed in the last day
  spin up --follow mcp-gateway 2>&1 | ftl audit chain audit.jsonl   keep an audit log of a gateway on Spin`

/** `ftl audit`: the log that a host writes with `--audit-log`. */
export function auditCommand(): Command {
  return new Command('audit')
    .description('Check and read the audit log of a gateway')
    .addHelpText('after', EXAMPLES)
    .addCommand(verifyCommand())
    .addCommand(showCommand())
    .addCommand(chainCommand())
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('Find removed, changed, inserted and moved lines of an audit log')
    .argument('<files...>', 'files of one log, the oldest first')
    .addOption(
      new Option(
        '--head <hash>',
        'hash that the last line must have, as `verify` printed it before',
      ).argParser(parseHash),
    )
    .option('--part', 'the files do not begin with the first line of the log')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', EXAMPLES)
    .action(verify)
}

interface VerifyFlags {
  head?: string
  part?: boolean
  json?: boolean
}

async function verify(files: string[], { head, part = false, json }: VerifyFlags): Promise<void> {
  const result = await verifyChain(readLines(files), { head, isPart: part })
  const { lines, broken, notes, unfinished } = result
  if (broken.length > 0) process.exitCode = 1
  if (json) return line(visibleJson(JSON.stringify(result)))
  const show = ({ file, number, message }: Finding) => visible(`${file}:${number}: ${message}`)
  for (const note of notes) line(paint('dim', show(note)))
  for (const finding of broken) line(paint('red', show(finding)))
  if (broken.length > 0) return line(`\nThe chain of ${lines} lines is broken.`)
  line(`The chain of ${lines} lines is whole.`)
  if (unfinished > 0) {
    const calls = unfinished === 1 ? '1 call has' : `${unfinished} calls have`
    line(`${calls} no outcome: its host or gateway ended before it, or it still runs.`)
  }
  line(`Head: ${result.head.hash} (line ${result.head.seq})`)
}

interface ShowFlags extends ShowFilter {
  json?: boolean
}

function showCommand(): Command {
  return new Command('show')
    .description('Print lines of an audit log')
    .argument('<files...>', 'files of a log; - for standard input')
    .option('--principal <name>', 'only those of this caller')
    .option('--tool <name>', 'only calls of this tool')
    .option('--denied', 'only what was not allowed')
    .addOption(
      new Option('--since <time>', 'only later ones: `30m`, `24h`, `7d` or a date').argParser(
        (text) => {
          const at = parseSince(text, Date.now())
          if (at !== undefined) return at
          throw new InvalidArgumentError(
            'give a time span such as 30m, 24h or 7d, or a date such as 2026-11-24',
          )
        },
      ),
    )
    .option('--json', 'print the lines as they are')
    .addHelpText('after', EXAMPLES)
    .action(show)
}

async function show(files: string[], { json = false, ...filter }: ShowFlags): Promise<void> {
  const open = new OpenCalls<Fields>()
  const print = (fields: Fields) => {
    if (isShownEntry(fields, filter)) line(describeEntry(fields))
  }
  for await (const { file, number, bytes } of readLines(files)) {
    const text = Buffer.from(bytes).toString('utf8')
    const fields = entryOf(text)
    if (!fields) {
      note(`ftl: ${file}:${number} is not a line of an audit log`)
    } else if (json) {
      if (isShownEntry(fields, filter)) line(visibleJson(text))
    } else {
      // One line for each call: that of its end, which has all of the other, or that of a call without an end.
      open.take(fields, fields).forEach(print)
      if (fields['event'] !== 'begin') print(fields)
    }
  }
  open.rest().forEach(print)
}

function chainCommand(): Command {
  return new Command('chain')
    .description('Append the audit lines of standard input to a log, and print the others')
    .argument('<file>', 'the log; it is continued if it exists')
    .addHelpText('after', EXAMPLES)
    .action(chain)
}

/** As a gateway writes them; Spin prints them among all other output. */
const AUDIT_LINE = '{"audit":1,'

const MAX_BYTES = 100 * 1024 ** 2

async function chain(path: string): Promise<void> {
  const onProblem = (message: string) => note(`ftl: ${message}`)
  let file: AuditFile
  try {
    file = new AuditFile(path, { maxBytes: MAX_BYTES, onProblem })
  } catch (error) {
    if (error instanceof AuditFileError) throw new CommandFailure(error.message)
    throw error
  }
  for await (const { bytes } of readLines(['-'])) {
    const text = Buffer.from(bytes).toString('utf8')
    if (text.startsWith(AUDIT_LINE) && entryOf(text)) file.append(text)
    else line(text)
  }
  file.close()
}

function entryOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isEntry = typeof value === 'object' && value !== null && 'audit' in value
    return isEntry ? value : undefined
  } catch {
    return undefined
  }
}

function parseHash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text
  throw new InvalidArgumentError('give the 64 hexadecimal digits that "ftl audit verify" prints')
}
