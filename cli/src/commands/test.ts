import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { isObject } from 'ftl-contract'
import type { ErrorEntry, LogEntry } from 'ftl-host'
import type { ContractReport, Verdict } from '../contract-test/index.ts'
import { reachedFrom } from '../contract-test/reached-from.ts'
import type { SubjectOptions } from '../contract-test/subject.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { stackLines } from '../output/stack-lines.ts'
import { findPlace } from '../members/find-place.ts'
import { loadApplication } from '../application/load-application.ts'
import { note } from '../terminal/terminal.ts'
import { line, lineJson, paint } from '../terminal/ui.ts'
import { fromOption, parseSeconds } from './options.ts'

const EXAMPLES = `
Examples:
  ftl test greet                                    a component of spin.toml, with its variables and files
  ftl test target/wasm32-wasip2/release/greet.wasm  any component, in any language
  ftl test http://127.0.0.1:8080                    a running component
  ftl test weather --tool forecast --args '{"city":"Oslo"}'`

interface TestFlags {
  from: string
  json?: boolean
  tool?: string
  args?: Record<string, unknown>
  variable: Record<string, string>
  timeout: number
  verbose?: boolean
}

export function testCommand(): Command {
  return new Command('test')
    .description('Check a built component against every rule of the component contract')
    .argument('<component>', 'id in spin.toml, path of a .wasm, or address')
    .addOption(fromOption())
    .option('--json', 'print the report as JSON')
    .option('--tool <name>', 'call only this tool')
    .addOption(new Option('--args <json>', 'arguments for it; needs `--tool`').argParser(parseArgs))
    .addOption(
      new Option('--variable <name=value>', 'set a variable; repeatable')
        .default({})
        .argParser(collectPair),
    )
    .addOption(
      new Option('--timeout <seconds>', 'time to wait for a response')
        .default(10)
        .argParser(parseSeconds),
    )
    .option('--verbose', 'show the output of the component')
    .addHelpText('after', EXAMPLES)
    .action(test)
}

async function test(target: string, flags: TestFlags): Promise<void> {
  if (flags.args && flags.tool === undefined) {
    throw new CommandFailure('--args are those of a tool: name it with --tool')
  }
  const report = await check(target, flags)
  if (flags.json) lineJson(report, 2)
  else summarize(report)
  if (report.failed > 0) process.exitCode = 1
}

async function check(target: string, flags: TestFlags): Promise<ContractReport> {
  const { checkComponent, checkFile, hostComponent } = await import('../contract-test/index.ts')
  const said: string[] = []
  const onVerdict = (verdict: Verdict) => {
    const printed = said.splice(0)
    if (!flags.json) show(verdict, printed)
  }
  const subject: Omit<SubjectOptions, 'url'> = {
    timeoutMs: flags.timeout * 1000,
    tools: flags.tool === undefined ? undefined : [flags.tool],
    samples: flags.tool === undefined || !flags.args ? undefined : { [flags.tool]: flags.args },
  }
  const { verbose = false } = flags
  const hosted = (outputOf: (component: string) => string | undefined) => {
    const rewrite = stackLines(outputOf)
    const print = (text: string) => (verbose ? note(`  | ${text}`) : keepLast(said, text))
    return {
      variables: flags.variable,
      onLog: ({ component, line: text }: LogEntry) => print(rewrite(component, text)),
      onError: ({ message }: Pick<ErrorEntry, 'message'>) => print(message),
    }
  }
  if (/^https?:\/\//.test(target)) return checkComponent(target, { ...subject, onVerdict })
  if (/\.wasm$/.test(target)) {
    if (!existsSync(target)) throw missing(target)
    return checkComponent(target, { ...subject, ...hosted(() => resolve(target)), onVerdict })
  }
  const { manifest, cacheFolder } = await loadApplication(flags.from)
  const id = findPlace(manifest, target)
  const outputOf = (component: string) => {
    const source = manifest.components.get(component)?.source
    return typeof source === 'string' ? resolve(manifest.folder, source) : undefined
  }
  const file = outputOf(id) ?? ''
  if (!existsSync(file)) throw missing(file)
  const components = reachedFrom(id, manifest)
  const named = id === target ? subject : { ...subject, member: target }
  return checkFile(target, file, onVerdict, named, () =>
    hostComponent(id, {
      ...hosted(outputOf),
      components,
      manifest: manifest.file,
      cacheDir: cacheFolder,
      env: process.env,
    }),
  )
}

/** Lines of a component that are shown below a rule that it breaks. */
const SHOWN_LINES = 8

/** A component may print without end. */
function keepLast(lines: string[], text: string): void {
  lines.push(text)
  if (lines.length > SHOWN_LINES) lines.shift()
}

function missing(file: string): CommandFailure {
  return new CommandFailure(
    `there is no ${file}: run ftl build first${file.includes('target/') ? ' (cargo build --release --target wasm32-wasip2 for Rust)' : ''}`,
  )
}

const SIGNS = {
  pass: () => paint('green', '✓'),
  fail: () => paint('red', '✗'),
  skipped: () => paint('dim', '-'),
}

/** @param printed what the component has printed since the last rule. */
function show(
  { id, rule, verdict, reason, fix, section }: Verdict,
  printed: readonly string[],
): void {
  line(
    `  ${SIGNS[verdict]()} ${id.padEnd(28)} ${verdict === 'skipped' ? paint('dim', rule) : rule}`,
  )
  if (verdict === 'skipped') line(paint('dim', `      skipped: ${reason}`))
  if (verdict !== 'fail') return
  line(`      ${paint('red', reason ?? '')}`)
  for (const each of new Set(printed)) line(paint('dim', `      | ${each}`))
  line(`      ${fix}`)
  line(paint('dim', `      ${section}`))
}

function summarize({ passed, failed, skipped }: ContractReport): void {
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`
  line(`\n${failed > 0 ? paint('red', counts) : paint('green', counts)}`)
}

function parseArgs(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown
    if (isObject(value)) {
      return value
    }
  } catch {
    // Told below.
  }
  throw new InvalidArgumentError(`give a JSON object, for example '{"name":"Ada"}'`)
}

function collectPair(text: string, before: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('give name=value')
  return { ...before, [name]: value }
}
