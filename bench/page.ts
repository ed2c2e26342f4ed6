// The page: its weight, its start, and how fluent it stays with much to show. It needs Chromium.
// Run: npm run bench -- --section page.
import type { Browser, Page } from 'playwright-core'
import { buildComponents } from 'ftl/build'
import { loadApplication } from 'ftl/application'
import { findChromium, launch } from '../test/web/browser.ts'
import { fillConversation, TALKATIVE } from '../test/web/figures/conversation.ts'
import { type Fluency, whileStreaming } from '../test/web/figures/frames.ts'
import { coldStart } from '../test/web/figures/start.ts'
import { fakeTools, measureToolList } from '../test/web/figures/tool-list.ts'
import { fakeActivity, measureTab, SPANS } from '../test/web/figures/trace.ts'
import { weighPage } from '../test/web/figures/weight.ts'
import { startWorld, type World } from '../test/web/world.ts'
import { MANIFESTS } from '../test/support/manifests.ts'
import { CACHE_DIR } from './application.ts'
import type { BenchOptions } from './options.ts'
import type { Report, Table } from './report.ts'
import { median, milliseconds } from './statistics.ts'

const VIEWPORT = { width: 1440, height: 900 }
const MESSAGES = 100
const TOOLS = 2000

export async function page(report: Report, { quick }: BenchOptions): Promise<void> {
  const found = findChromium()
  if (!('path' in found)) return console.log(`\nThe page is not measured: ${found.reason}`)
  const { targets } = await loadApplication(MANIFESTS.web)
  await buildComponents(targets, { cacheFolder: CACHE_DIR })
  const rounds = quick ? 3 : 10
  const world = await startWorld(TALKATIVE)
  const browser = await launch(found.path)
  try {
    await weights(report, world)
    await starts(report, { browser, world, rounds })
    await fluency(report, { browser, world, rounds: Math.ceil(rounds / 3) })
  } finally {
    await browser.close()
    await world.close()
  }
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`

async function weights(report: Report, { url }: World): Promise<void> {
  const { first, views, all } = await weighPage(url)
  const table = report.table('What a browser loads of the page', '  Brotli', '    gzip', 'part')
  const row = ({ brotli, gzip }: typeof first, name: string) =>
    table.row(kilobytes(brotli), kilobytes(gzip), name)
  row(first, 'first load: the frame and the chat')
  for (const [name, weight] of views) row(weight, `${name}: more, when it is opened`)
  row(all, 'everything')
}

interface Setting {
  browser: Browser
  world: World
  rounds: number
}

async function starts(report: Report, { browser, world, rounds }: Setting): Promise<void> {
  const painted: number[] = []
  const interactive: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = await coldStart(browser, world.url)
    painted.push(start.painted)
    interactive.push(start.interactive)
  }
  const table = report.table(
    'The page in a browser without a cache',
    '   median',
    '  longest',
    'until',
  )
  for (const [name, times] of [
    ['the first text is painted', painted],
    ['the message box is there and the browser is idle', interactive],
  ] as const) {
    table.row(`${milliseconds(median(times))} ms`, `${milliseconds(Math.max(...times))} ms`, name)
  }
}

async function fluency(report: Report, { browser, world, rounds }: Setting): Promise<void> {
  const table = report.table(
    'Fluency: medians; the longest task is processor time',
    ...['frames/s', ' longest task', '      open', '     heap', ' nodes', 'what'],
  )
  await measured(
    table,
    `an answer arrives after ${MESSAGES} messages of 4 KB`,
    rounds,
    async () => {
      const page = await opened(browser, world, '/#/jobs')
      await fillConversation(page, world.url, MESSAGES)
      await page.getByLabel('Message').fill('a long answer')
      await page.getByLabel('Message').press('Enter')
      await page.locator('[aria-busy="true"] .markdown li').first().waitFor()
      const scroll = await whileStreaming(page)
      await page.context().close()
      return { scroll }
    },
  )
  await measured(table, `a list of ${TOOLS} tools is scrolled`, rounds, async () => {
    const page = await opened(browser, world, '/#/jobs')
    await fakeTools(page, TOOLS)
    const figures = await measureToolList(page)
    await page.context().close()
    return figures
  })
  for (const tab of ['Trace', 'Logs'] as const) {
    await measured(table, `${tab} with ${SPANS} rows is scrolled`, rounds, async () => {
      const page = await opened(browser, world, '/#/tools/echo?args={"message":"hi"}')
      await fakeActivity(page)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('tab', { name: tab }).waitFor()
      const figures = await measureTab(page, tab)
      await page.context().close()
      return figures
    })
  }
}

async function opened(browser: Browser, { url }: World, path: string): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT })
  await page.goto(url + path)
  return page
}

interface Figures {
  scroll: Fluency
  open?: number
  heap?: number
  nodes?: number
}

async function measured(table: Table, name: string, rounds: number, run: () => Promise<Figures>) {
  const all: Figures[] = []
  for (let round = 0; round < rounds; round++) all.push(await run())
  const of = (pick: (figures: Figures) => number | undefined, unit: string, digits = 0) => {
    const values = all.flatMap((figures) => pick(figures) ?? [])
    return values.length === 0 ? '' : `${median(values).toFixed(digits)}${unit}`
  }
  table.row(
    of(({ scroll }) => scroll.framesPerSecond, ''),
    of(({ scroll }) => scroll.longestTask, ' ms', 1),
    of(({ open }) => open, ' ms'),
    of(({ heap }) => heap && heap / 1e6, ' MB', 1),
    of(({ nodes }) => nodes, ''),
    name,
  )
}
