/** Asks a user at a terminal for what the command line does not give. */
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { CLIENTS, clientsOf, type McpClient } from './clients.ts'
import { NewFailure } from './failure.ts'
import { nameProblem, type NameRules } from './names.ts'
import { type Part, partsOf, PARTS } from './parts/parts.ts'
import { type Template, templateOf, TEMPLATES } from './template.ts'

export interface Terminal {
  input: Readable
  output: Writable
}

export interface Given {
  name: string | undefined
  template: string | undefined
  /** Parts, separated by commas. */
  parts: string | undefined
  /** Clients to connect, separated by commas. */
  clients: string | undefined
}

export interface Chosen {
  name: string
  template: Template
  /** Parts of a new application. */
  parts: readonly Part[]
  /** MCP clients that a new application is connected to. */
  clients: readonly McpClient[]
}

/** Asks until the answers are valid. @throws {NewFailure} when the input ends first. */
export async function ask(
  given: Given,
  rules: NameRules,
  { input, output }: Terminal,
): Promise<Chosen> {
  const terminal = createInterface({ input, output })
  let answered = false
  const closed = new Promise<never>((_, reject) => {
    const end = () => {
      if (!answered) output.write('\n')
      reject(new NewFailure('stopped; nothing was written'))
    }
    terminal.once('close', end)
    terminal.once('SIGINT', end)
  })
  // A pending question gets the rejection by the race; without one it must not count as unhandled.
  closed.catch(() => undefined)
  const question = (text: string) => Promise.race([terminal.question(text), closed])
  try {
    const name = given.name ?? (await askName(question, rules, output))
    const template = given.template ?? (await askTemplate(question, output))
    const parts = given.parts ?? (rules.application ? await askParts(question, output) : '')
    const clients = given.clients ?? (rules.application ? await askClients(question, output) : '')
    answered = true
    return {
      name,
      template: templateOf(template),
      parts: partsOf(parts),
      clients: clientsOf(clients),
    }
  } finally {
    terminal.close()
  }
}

type Question = (text: string) => Promise<string>

async function askName(question: Question, rules: NameRules, output: Writable): Promise<string> {
  for (;;) {
    const name = (await question('Name of the tool (my-tool): ')).trim() || 'my-tool'
    const problem = nameProblem(name, rules)
    if (problem === undefined) return name
    output.write(`  ${problem}\n`)
  }
}

async function askTemplate(question: Question, output: Writable): Promise<string> {
  output.write('What to begin with:\n')
  const width = Math.max(...TEMPLATES.map(({ id }) => id.length))
  for (const [index, { id, title }] of TEMPLATES.entries()) {
    output.write(`  ${index + 1}  ${id.padEnd(width)}  ${title}\n`)
  }
  for (;;) {
    const answer = (await question('Number or name (1): ')).trim() || '1'
    const found = TEMPLATES.find(({ id }, index) => answer === id || answer === String(index + 1))
    if (found) return found.id
    output.write(`  give a number from 1 to ${TEMPLATES.length}, or a name of the list\n`)
  }
}

async function askParts(question: Question, output: Writable): Promise<string> {
  output.write('What else the application has ("npx ftl add" adds it later, too):\n')
  writeChoices(
    PARTS.map(({ id, about }) => [id, about]),
    output,
  )
  return askList(question, output, partsOf)
}

async function askClients(question: Question, output: Writable): Promise<string> {
  output.write('Which MCP client to connect:\n')
  writeChoices(
    CLIENTS.map(({ id, title }) => [id, title]),
    output,
  )
  return askList(question, output, clientsOf)
}

function writeChoices(choices: readonly (readonly [string, string])[], output: Writable): void {
  const width = Math.max(...choices.map(([id]) => id.length))
  for (const [id, about] of choices) output.write(`  ${id.padEnd(width)}  ${about}\n`)
}

/** Asks until `check` takes the answer. */
async function askList(
  question: Question,
  output: Writable,
  check: (list: string) => unknown,
): Promise<string> {
  for (;;) {
    const answer = (await question('Names, separated by commas (none): ')).trim()
    try {
      check(answer)
      return answer
    } catch (error) {
      output.write(`  ${(error as Error).message}\n`)
    }
  }
}
