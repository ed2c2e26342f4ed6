/** What the author sees, line by line, and whether it is what it should be. */
export class Transcript {
  readonly #lines: string[] = []
  readonly #hidden: [text: string, shown: string][] = []
  readonly failures: string[] = []
  readonly #print: (text: string) => void
  passed = 0

  /** @param print receives each line at once. */
  constructor(print: (text: string) => void = console.log) {
    this.#print = print
  }

  /** Shows `shown` in place of every occurrence of `text`, such as the path of a temporary folder. */
  hide(text: string, shown: string): void {
    this.#hidden.push([text, shown])
  }

  write(text: string): void {
    let shown = text
    for (const [hidden, instead] of this.#hidden) shown = shown.replaceAll(hidden, instead)
    this.#lines.push(shown)
    this.#print(shown)
  }

  heading(text: string): void {
    this.write(`\n${'─'.repeat(100)}\n${text}\n`)
  }

  /** What a person does who does not type a command. */
  act(text: string): void {
    this.write(`  » ${text}`)
  }

  check(what: string, holds: boolean): void {
    if (holds) this.passed++
    else this.failures.push(what)
    this.write(holds ? `  ✓ ${what}` : `  ✗ NOT AS EXPECTED: ${what}`)
  }

  figure(what: string, value: string): void {
    this.write(`  = ${what}: ${value}`)
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`
  }
}
