/** What the command line of the comparison may say. */
import { parseArgs } from 'node:util'

export interface PeersOptions {
  /** One short round and fewer starts: a look, not a result. */
  quick: boolean
  /** Names of the peers to measure. */
  only: readonly string[]
  /** A Spin that serves bench/fixtures/spin.toml. */
  spinUrl?: string
  /** File for the results as JSON. */
  json?: string
}

const HELP = `npm run peers -- [options]

Compares MCP gateways with the same echo tool behind each. It installs what it needs from npm and PyPI into .ftl/, starts each
peer on 127.0.0.1, and prints a table in Markdown. Progress goes to standard error. Linux only.

  --quick          one short round: a look, not a result
  --only NAME      only this peer; may be repeated: NAMES
  --spin-url URL   also a Spin that serves bench/fixtures/spin.toml (spin up --from bench/fixtures)
  --json FILE      write the results as JSON
  --help           print this text`

/**
 * @param names the peers there are.
 * @returns a text instead of options when the text is to be printed; `failed` when the command line is wrong.
 */
export function readPeersOptions(
  args: readonly string[],
  names: readonly string[],
): { options: PeersOptions } | { text: string; failed: boolean } {
  const help = HELP.replace('NAMES', names.join(', '))
  let values
  try {
    ;({ values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        'spin-url': { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }))
  } catch (error) {
    return { text: `${(error as Error).message}\n\n${help}`, failed: true }
  }
  if (values.help) return { text: help, failed: false }
  const unknown = values.only.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    return { text: `--only: there is no peer "${unknown}"\n\n${help}`, failed: true }
  }
  const spinUrl = values['spin-url']
  if (spinUrl !== undefined && !/^https?:$/.test(URL.parse(spinUrl)?.protocol ?? '')) {
    return { text: `--spin-url: "${spinUrl}" is not an http address\n\n${help}`, failed: true }
  }
  return {
    options: {
      quick: values.quick,
      only: values.only.length > 0 ? values.only : names,
      spinUrl: spinUrl?.replace(/\/+$/, ''),
      json: values.json,
    },
  }
}
