/** The settings that a page of docs/identity-providers tells its reader to type, with the addresses of a test. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, parseBlocks } from '../docs/blocks/blocks.ts'
import { shellCommands } from '../docs/blocks/shell-words.ts'
import { REPOSITORY } from '../support/command.ts'

export interface PageSettings {
  /** Of the gateway, for each `ftl up` of the page. */
  variables: Record<string, string>[]
  /** What `.env` has besides: for the last `ftl up`. */
  secrets: Record<string, string>
  /** The blocks of a language, in the order of the page. */
  code: (language: string) => string[]
  /** The blocks of JSON, in the order of the page. */
  json: unknown[]
}

/**
 * @param name of the page.
 * @param addresses each text of the page that has to be another one here.
 * @throws {Error} if the page lacks one of these.
 */
export function pageSettings(
  name: string,
  addresses: Readonly<Record<string, string>> = {},
): PageSettings {
  const page = `docs/identity-providers/${name}.md`
  let text = readFileSync(join(REPOSITORY, page), 'utf8')
  for (const [written, real] of Object.entries(addresses)) {
    if (!text.includes(written)) throw new Error(`${page} does not have ${written}`)
    text = text.replaceAll(written, real)
  }
  const blocks = parseBlocks(text, page)
  const code = (language: string) =>
    blocks.filter((block) => block.language === language).map((block) => block.code)
  return {
    variables: blocks.flatMap(gatewaysIn),
    secrets: Object.fromEntries(code('text').flatMap(secretsIn)),
    code,
    json: code('json').map((block) => JSON.parse(block) as unknown),
  }
}

/** The variables of each `ftl up`. */
function gatewaysIn({ language, code }: Block): Record<string, string>[] {
  if (language !== 'sh') return []
  const commands = shellCommands(code).filter(
    ({ words }) => words.slice(1, 3).join(' ') === 'ftl up',
  )
  return commands.map(({ words }) => {
    const given = words.flatMap((word, at) =>
      words[at - 1] === '--variable' ? [pairOf(word)] : [],
    )
    return Object.fromEntries(given)
  })
}

/** Lines of `.env`. */
function secretsIn(code: string): [string, string][] {
  return [...code.matchAll(/^SPIN_VARIABLE_(\w+)='(.*)'$/gm)].map(([, name = '', value = '']) => [
    name.toLowerCase(),
    value,
  ])
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=')
  return [text.slice(0, at), text.slice(at + 1)]
}
