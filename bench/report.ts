/** What a run has found: printed as it is measured, and afterwards as Markdown and JSON. */
import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'

/** Prints rows as they are measured; each column is as wide as its title. The last, the name of the row, is free. */
export class Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: (readonly string[])[] = []

  constructor(title: string, columns: readonly string[]) {
    this.title = title
    this.columns = columns
    console.log(`\n${title}\n${columns.join('  ')}`)
  }

  row(...cells: string[]): void {
    this.rows.push(cells)
    const last = cells.length - 1
    const aligned = cells.map((cell, index) =>
      index === last ? cell : cell.padStart(this.columns[index]?.length ?? 0),
    )
    console.log(aligned.join('  '))
  }
}

export class Report {
  readonly #tables: Table[] = []
  readonly #begun = new Date()

  table(title: string, ...columns: string[]): Table {
    const table = new Table(title, columns)
    this.#tables.push(table)
    return table
  }

  /** Numbers say nothing without it. */
  get machine(): Record<string, string> {
    const [cpu] = cpus()
    return {
      date: this.#begun.toISOString().slice(0, 10),
      commit: commit(),
      node: process.version,
      cpu: `${cpus().length} x ${cpu?.model.trim() ?? 'unknown'}`,
      memory: `${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
      system: `${process.platform} ${process.arch}`,
    }
  }

  json(): string {
    const tables = this.#tables.map(({ title, columns, rows }) => ({
      title,
      rows: rows.map((cells) =>
        Object.fromEntries(columns.map((column, index) => [column.trim(), cells[index] ?? ''])),
      ),
    }))
    return `${JSON.stringify({ machine: this.machine, tables }, undefined, 2)}\n`
  }

  markdown(): string {
    const about = Object.entries(this.machine).map(([name, value]) => `- ${name}: ${value}`)
    const tables = this.#tables.map(({ title, columns, rows }) => {
      const lines = [columns, columns.map(() => '---'), ...rows]
      return `## ${title}\n\n${lines.map((cells) => `| ${cells.map(escape).join(' | ')} |`).join('\n')}\n`
    })
    return `# Measurements\n\n${about.join('\n')}\n\n${tables.join('\n')}`
  }
}

function escape(cell: string): string {
  return cell.trim().replaceAll('|', '\\|')
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).trim()
  try {
    const changed = git('status', '--porcelain') !== '' ? ', with changes' : ''
    return git('rev-parse', '--short', 'HEAD') + changed
  } catch {
    return 'unknown'
  }
}
