/** The pages of the reference, with their tables as the definitions in the code are now. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { commandTables, limitTable } from './command-tables.ts'
import { fillPage } from './fill-page.ts'
import { variableTables } from './variable-tables.ts'

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))

/** Tables by the name in the marks of a page. */
export type Tables = ReadonlyMap<string, string>

interface PrintedPage {
  /** Absolute path. */
  file: string
  /** What the page must be. */
  text: string
}

/** @throws {Error} for a page that lacks a table, and for a definition that cannot be printed. */
export async function printedPages(): Promise<PrintedPage[]> {
  return [
    await printed('cli.md', await commandTables()),
    await printed('spin-toml.md', new Map([['limits of the runtime configuration', limitTable()]])),
    await printed('variables.md', await variableTables()),
  ]
}

async function printed(page: string, tables: Tables): Promise<PrintedPage> {
  const file = join(DOCS, page)
  const filled = fillPage(await readFile(file, 'utf8'), tables, `docs/${page}`)
  const text = await format(filled, { ...(await resolveConfig(file)), parser: 'markdown' })
  return { file, text }
}
