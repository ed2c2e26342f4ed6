import { Argument, Command } from 'commander'
import { completionScript, INSTALLATION, type Shell, SHELLS } from '../completion/scripts.ts'
import { type Candidate, complete } from '../completion/words.ts'
import { data } from '../terminal/terminal.ts'
import { findRunning } from '../running/find.ts'

/** Milliseconds; short, because the user waits for the completion. */
const TOOLS_TIMEOUT_MS = 1500

const EXAMPLES = `
Examples:
${SHELLS.map((shell) => `  ${INSTALLATION[shell]}`).join('\n')}
  source <(ftl completion bash)        only this terminal

After "ftl call" the names of tools are completed too, while the gateway runs.`

export function completionCommand(): Command {
  return new Command('completion')
    .description('Print a script that completes `ftl` on Tab')
    .addArgument(new Argument('<shell>', 'whose script').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action((shell: Shell) => void data(completionScript(shell)))
}

/** Hidden: what the scripts ask. Prints a candidate a line. */
export function completeCommand(program: Command): Command {
  return new Command('complete')
    .description('Say what may come next, for the scripts of ftl completion')
    .argument('[words...]', 'after ftl; the last one is being written')
    .action(async (split: string[]) => {
      const words = rejoin(split)
      const { candidates, files, tools } = complete(program, words)
      const current = words.at(-1) ?? ''
      const [url] = words.flatMap((word, index) =>
        word === '--url' ? (words[index + 1] ?? []) : [],
      )
      const server = tools ? (url ?? (await findRunning()).url) : undefined
      const names =
        server === undefined
          ? []
          : (await toolNames(server)).filter(({ word }) => word.startsWith(current))
      const lines = [...candidates, ...names].map(
        // Names of tools come from a server, and a shell reads this: one word a line, nothing that moves a terminal.
        ({ word, description }) => `${plain(word)}\t${plain(description.split('\n')[0] ?? '')}`,
      )
      if (files) lines.push(':files')
      data(lines.map((each) => `${each}\n`).join(''))
    })
}

/** bash splits at every colon, so an address arrives as five words. */
function rejoin(split: readonly string[]): string[] {
  const words: string[] = []
  let open = false
  for (const word of split) {
    if (words.length > 0 && (open || word === ':')) words.push(`${words.pop()}${word}`)
    else words.push(word)
    open = word === ':'
  }
  return words
}

function plain(text: string): string {
  return text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, ' ')
}

/** Tools of the gateway at `url`. @returns an empty list when no gateway responds. */
async function toolNames(url: string): Promise<Candidate[]> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      signal: AbortSignal.timeout(TOOLS_TIMEOUT_MS),
    })
    const { result } = (await response.json()) as {
      result?: { tools: { name: string; description?: string }[] }
    }
    return (result?.tools ?? []).map(({ name, description = '' }) => ({ word: name, description }))
  } catch {
    return []
  }
}
