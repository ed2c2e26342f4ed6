/** `ftl add openapi`: tools of an HTTP API that an OpenAPI document describes. */
import { Command, Option } from 'commander'
import type { ApiChoice } from 'ftl-contract'
import { NewFailure } from 'create-ftl-tool'
import { choosesAll, chooseTags } from '../openapi/ask-tags.ts'
import { changeLines, summaryLines, toolLines } from '../openapi/listing.ts'
import { readApi, saveApi, savedApi, sourceOf, updateApi } from '../openapi/save-api.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { line, lineJson } from '../terminal/ui.ts'
import { visible } from '../terminal/visible-text.ts'
import { fromOption } from './options.ts'

const EXAMPLES = `
Examples:
  ftl add openapi https://api.example.com/openapi.json
  ftl add openapi github.json --list --tag issues      show what would be made, and write nothing
  ftl add openapi github.json --name github --tag issues --tag pulls --read-only --auth bearer
  ftl add openapi shop.yaml --operation listOrders --operation 'GET /orders/{id}'
  ftl add openapi --update github                      the same operations, from the document as it is now

Patterns are compared with the name of the tool, the operationId, the path, and method and path; * stands for any text.`

interface Flags extends Omit<ApiChoice, 'readOnly'> {
  from: string
  name?: string
  readOnly?: true
  update?: true
  list?: true
  json?: true
  yes?: true
}

const collect = (value: string, before: string[] = []) => [...before, value]
const repeatable = (flags: string, text: string) => new Option(flags, text).argParser(collect)

export function addOpenapiCommand(): Command {
  return new Command('openapi')
    .description('Make tools of an HTTP API that an OpenAPI document describes')
    .argument(
      '<source>',
      'OpenAPI 3.0 or 3.1, or Swagger 2.0, as JSON or YAML: a URL or a file; with --update a name',
    )
    .addOption(fromOption())
    .option('--name <name>', 'name of the component (from the title of the document)')
    .addOption(repeatable('--tag <tag>', 'take the operations with this tag; repeatable'))
    .addOption(
      repeatable(
        '--operation <pattern>',
        'take these operations, also deprecated ones; repeatable',
      ),
    )
    .addOption(repeatable('--include <pattern>', 'take these operations; repeatable'))
    .addOption(repeatable('--exclude <pattern>', 'leave these operations out; repeatable'))
    .option('--read-only', 'take operations with GET only')
    .option('--server <url>', 'base URL of requests (the first server of the document)')
    .option(
      '--auth <kind>',
      'credentials of all operations: `bearer`, `basic`, `header:NAME`, `query:NAME` or `cookie:NAME` (those of the document)',
    )
    .option('--list', 'print what would be made, and write nothing')
    .option(
      '--update',
      'read the document of a component again; `<source>` is the name of the component',
    )
    .option('--json', 'print what was made as JSON')
    .option('-y, --yes', 'ask nothing; take all operations')
    .addHelpText('after', EXAMPLES)
    .action(async (source: string, _: unknown, command: Command) => {
      // Some options, such as --name, are those of "ftl add" too.
      const flags = command.optsWithGlobals<Flags>()
      try {
        await (flags.update ? update(source, flags) : add(source, flags))
      } catch (error) {
        if (error instanceof NewFailure) throw new CommandFailure(error.message)
        throw error
      }
    })
}

function choiceOf({ tag, operation, include, exclude, readOnly, server, auth }: Flags): ApiChoice {
  return {
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(tag && { tag }),
    ...(operation && { operation }),
    ...(readOnly && { readOnly }),
    ...(server !== undefined && { server }),
    ...(auth !== undefined && { auth }),
  }
}

async function add(source: string, flags: Flags): Promise<void> {
  const choice = choiceOf(flags)
  const { name } = flags
  let read = await readApi({ source, name, choice })
  if (!flags.list && !flags.yes && !flags.json && choosesAll(choice, read)) {
    const tag = await chooseTags(read)
    if (tag) read = await readApi({ source, name: read.component, choice: { ...choice, tag } })
  }
  const { plan, component, skipped } = read
  if (flags.list && flags.json) return lineJson({ component, ...plan, skipped }, 2)
  if (flags.list) for (const each of toolLines(plan)) line(visible(each))
  if (!flags.json) for (const each of summaryLines(read)) line(visible(each))
  if (flags.list) return
  if (plan.operations.length === 0) {
    throw new CommandFailure(
      'no operation is left, so nothing was written; --list without filters shows all',
    )
  }
  const outcome = await saveApi(read, flags.from)
  const { files, manifestLines = [], missing = [] } = outcome
  if (flags.json) {
    const tools = plan.operations.map((each) => each.name)
    return lineJson({ component, tools, skipped, files, manifestLines }, 2)
  }
  line(`\nWrote ${component}:\n${files.map((file) => `  ${file}`).join('\n')}`)
  line(
    `Added to spin.toml:\n${manifestLines.map((each) => (each === '' ? '' : `  ${visible(each)}`)).join('\n')}`,
  )
  line('\nNext:')
  for (const command of nextCommands(outcome.template, plan, missing)) line(`  ${visible(command)}`)
}

function nextCommands(
  { variables, tryWith }: Awaited<ReturnType<typeof saveApi>>['template'],
  { operations: [first] }: Awaited<ReturnType<typeof readApi>>['plan'],
  missing: readonly string[],
): string[] {
  const values = Object.keys(variables).map((name) => `--variable ${name}=@FILE`)
  return [
    ...(missing.length > 0 ? [`npm install ${missing.join(' ')}`] : []),
    ['npx ftl start', ...values].join(' '),
    ...(first ? [`npx ftl call ${first.name} ${tryWith}`.trim()] : []),
  ]
}

async function update(name: string, flags: Flags): Promise<void> {
  const saved = savedApi(name, flags.from)
  const choice = { ...saved.plan.choice, ...choiceOf(flags) }
  const read = await readApi({ source: sourceOf(saved), name, choice })
  read.plan.source = saved.plan.source
  for (const each of changeLines(saved.plan, read.plan)) line(visible(each))
  for (const each of summaryLines(read)) line(visible(each))
  if (flags.list) return
  if (read.plan.operations.length === 0)
    throw new CommandFailure('no operation is left, so nothing was written')
  const lines = updateApi(saved, read.plan)
  if (lines.length === 0) return
  line(`\nWrite in spin.toml, in the tables of ${name}, and declare new variables in [variables]:`)
  for (const each of lines) line(`  ${visible(each)}`)
}
