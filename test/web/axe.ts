/** Violations of accessibility rules, as axe finds them. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

interface Axe {
  axe?: { run: (options: object) => Promise<{ violations: Violation[] }> }
}

/** Without it, axe also writes down all that is right, and loads every style sheet again. */
const ONLY_VIOLATIONS = { resultTypes: ['violations'], preload: { assets: ['media'] } }

/** @param rules to check. @default all of them */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  // Half a megabyte of script, once.
  const isThere = await page.evaluate(() => (globalThis as Axe).axe !== undefined)
  if (!isThere) await page.evaluate(axe)
  const found = await page.evaluate(
    async (options) => (await (globalThis as Axe).axe?.run(options))?.violations,
    { ...ONLY_VIOLATIONS, ...(rules && { runOnly: rules }) },
  )
  if (!found) throw new Error('axe is not in the page')
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
}
