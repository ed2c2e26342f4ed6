import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import type { ToolResult } from 'ftl-client'
import { excerpt } from '../build/source-excerpt.ts'
import { readProgram } from '../code/program-text.ts'
import type { CutResult, RunReport } from '../code/run-program.ts'
import { line } from '../terminal/ui.ts'
import { isTerminal, note } from '../terminal/terminal.ts'
import { visible, visibleJson, visibleLines } from '../terminal/visible-text.ts'
import { nameOf, readDeclarations, shownFinding, withServer } from './code-parts.ts'
import { saveCommand } from './code-save.ts'
import { type ServerFlags, withServerOptions } from './server-options.ts'

const EXAMPLES = `
Examples:
  ftl code run report.ts            run a program in the gateway of this folder
  ftl code check report.ts          check its types against the tools of that gateway
  ftl code declarations tools.d.ts  save the declarations of the tools
  ftl code save report report.ts    make a tool of it`

const RUN_EXAMPLES = `
Examples:
  ftl code run report.ts
  ftl code run report.ts --all > rows.json
  echo 'return await tools.echo.echo({ message: "hi" })' | ftl code run -

Standard output has the result, standard error the console of the program. Exit status: 0 it succeeded, 5 it failed,
otherwise as "ftl call".`

const CHECK_EXAMPLES = `
Examples:
  ftl code check report.ts
  ftl code check report.ts --declarations tools.d.ts   without a gateway

Exit status: 0 without mistakes, 1 with mistakes.`

const DECLARATIONS_EXAMPLES = `
Examples:
  ftl code declarations tools.d.ts
  ftl code declarations              print them`

/** `ftl code`: programs that call tools. */
export function codeCommand(): Command {
  return new Command('code')
    .description('Run and check programs that call tools')
    .addHelpText('after', EXAMPLES)
    .addCommand(runCommand())
    .addCommand(checkCommand())
    .addCommand(declarationsCommand())
    .addCommand(saveCommand())
}

function runCommand(): Command {
  return withServerOptions(
    new Command('run')
      .description('Run a program in the gateway, and print its result')
      .argument('<file>', 'TypeScript or JavaScript; - for standard input')
      .option('--all', 'print all of a result that is too long for one answer')
      .addHelpText('after', RUN_EXAMPLES),
  ).action(async (file: string, flags: ServerFlags & { all?: true }) => {
    const code = readProgram(file)
    await withServer(flags, async ({ manager, server, options, EXIT }) => {
      const { runProgram } = await import('../code/run-program.ts')
      const onProgress = isTerminal('stderr')
        ? ({ message }: { message?: string }) =>
            message !== undefined && note(`… ${visible(message)}`)
        : undefined
      const { all } = flags
      const running = { ...options, onProgress, all }
      const { report, result } = await runProgram(manager, server, code, running)
      if (flags.json) line(visibleJson(JSON.stringify(report ?? result)))
      else print(file, code, report, result)
      return result.isError === true ? EXIT.toolFailed : 0
    })
  })
}

function checkCommand(): Command {
  return withServerOptions(
    new Command('check')
      .description('Check the types of a program, without running it')
      .argument('<file>', 'TypeScript or JavaScript; - for standard input')
      .option(
        '--declarations <file>',
        'saved declarations of the tools, without any gateway (those of the gateway)',
      )
      .addHelpText('after', CHECK_EXAMPLES),
  ).action(async (file: string, flags: ServerFlags & { declarations?: string }) => {
    const code = readProgram(file)
    const { checkProgram } = await import('../code/check-program.ts')
    const report = (declarations: string): number => {
      const findings = checkProgram(code, { declarations })
      if (flags.json) line(visibleJson(JSON.stringify(findings)))
      else {
        for (const finding of findings) line(shownFinding(file, code, finding))
        if (findings.length === 0) note(`${visible(nameOf(file))} has no mistakes.`)
      }
      return findings.length === 0 ? 0 : 1
    }
    if (flags.declarations !== undefined) {
      process.exitCode = report(readDeclarations(flags.declarations))
      return
    }
    await withServer(flags, async ({ manager, server, options }) => {
      const { fetchDeclarations } = await import('../code/fetch-declarations.ts')
      return report(await fetchDeclarations(manager, server, options))
    })
  })
}

function declarationsCommand(): Command {
  return withServerOptions(
    new Command('declarations')
      .description('Save the TypeScript declarations of the tools that a program can call')
      .argument('[file]', 'where to save them (print them)')
      .addHelpText('after', DECLARATIONS_EXAMPLES),
  ).action(async (file: string | undefined, flags: ServerFlags) => {
    await withServer(flags, async ({ manager, server, options }) => {
      const { fetchDeclarations } = await import('../code/fetch-declarations.ts')
      const text = await fetchDeclarations(manager, server, options)
      if (file === undefined) line(visibleLines(text))
      else writeFileSync(file, text)
      return 0
    })
  })
}

/** The console goes to standard error, so that standard output has only the result. */
function print(
  file: string,
  code: string,
  report: RunReport | undefined,
  result: ToolResult,
): void {
  if (!report) {
    const [first] = result.content
    note(visibleLines(first?.type === 'text' ? first.text : 'The result has no text.'))
    return
  }
  for (const { level, text } of report.console) {
    note(visibleLines(level === 'info' ? text : `[${level}] ${text}`))
  }
  const { error, cut } = report
  if (error) {
    const { line: at, column = 1, name, message, tool } = error
    const words = `${name}: ${message}${tool === undefined ? '' : ` (${tool})`}`
    const lineText = at === undefined ? undefined : code.split(/\r?\n/)[at - 1]
    const shown =
      at === undefined ? words : excerpt({ file: nameOf(file), line: at, column, lineText }, words)
    note(visibleLines(shown))
    return
  }
  if (typeof report.result === 'string') line(visibleLines(report.result))
  else if (report.result !== undefined)
    line(visibleLines(JSON.stringify(report.result, undefined, 2)))
  if (cut) note(cutNote(cut))
}

function cutNote({ shown, of, handle, next, expiresAt = '' }: CutResult): string {
  const note = `The result is cut: ${shown} of ${of} characters.`
  if (handle === undefined) return `${note} It was not kept: return less.`
  const call = `ftl call run_code result=${handle} offset=${next}`
  return visibleLines(
    `${note} Print all of it with --all, or read on until ${expiresAt}:\n  ${call}`,
  )
}
