// The workbench: thousands of tools, calls over MCP, results of every kind and size, and snippets that really run.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { answerText, openTool, usePage } from './use-page.ts'

const pages = usePage()
const execute = promisify(execFile)

async function open(title: string) {
  const page = await pages.open('/#/tools')
  const tool = await openTool(page, title)
  return { page, tool, run: () => tool.getByRole('button', { name: 'Run', exact: true }).click() }
}

describe('a call over MCP', () => {
  it('shows progress while it runs, and can be stopped', async () => {
    const { page, tool, run } = await open('Steps')
    await run()
    await tool.getByText(/Step \d+ · \d+ of 20/).waitFor()
    expect(await violations(page)).toEqual([])
    await tool.getByRole('button', { name: 'Stop' }).click()
    await tool.getByText('Stopped.').first().waitFor()
    await run()
    await tool.getByText('All steps are done').waitFor()
  })

  it('shows the question of a tool as a form, and its words as words', async () => {
    const { page, tool, run } = await open('Asks')
    await run()
    const dialog = page.getByRole('dialog', { name: 'The server asks' })
    await dialog.getByText('Which <b>size</b>?').waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'elicitation')
    await dialog.getByRole('textbox', { name: 'size' }).fill('12')
    await dialog.getByRole('button', { name: 'Answer' }).click()
    await dialog.getByText('must be at most 9').waitFor()
    await dialog.getByRole('textbox', { name: 'size' }).fill('7')
    await dialog.getByRole('button', { name: 'Answer' }).click()
    await tool.getByText('accept {"size":7}').waitFor()
    await run()
    await dialog.getByRole('button', { name: 'Decline' }).click()
    await tool.getByText('decline').waitFor()
  })

  it('has its exchange in the tab Raw, without passwords', async () => {
    const { page, tool, run } = await open('Constructs of a schema')
    await tool.getByRole('textbox', { name: 'street' }).fill('Main Street')
    await tool.getByLabel('Form of shape').selectOption('Circle')
    await tool.getByLabel('radius').fill('1')
    await tool.locator('summary', { hasText: 'more setting' }).click()
    await tool.getByLabel('secret').fill('not to be shown')
    await run()
    expect(await answerText(tool)).toContain('not to be shown')
    await tool.getByRole('tab', { name: 'Result' }).focus()
    await page.keyboard.press('ArrowRight')
    const raw = tool.getByRole('tabpanel')
    const call = raw.getByRole('region', { name: 'tools/call' })
    await call.getByText('"constructs"').waitFor()
    await call.getByRole('button', { name: /arguments/ }).click()
    await call.getByText('"••••"').waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'workbench-raw')
    // The host records spans once the activity was asked for, which the page does before a call.
    await tool.getByRole('tab', { name: 'Trace' }).click()
    await tool
      .getByRole('list', { name: 'Trace' })
      .getByText(/mcp-gateway|constructs/)
      .first()
      .waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'workbench-trace')
    await tool.getByRole('tab', { name: 'Logs' }).click()
    await tool.getByText(/Nothing was printed for this request/).waitFor()
  })
})

describe('a result', () => {
  it('of 20,000 rows is a table, and the page stays usable', async () => {
    const { page, tool, run } = await open('Much')
    await tool.getByLabel('rows').fill('20000')
    await run()
    const table = tool.getByRole('table')
    await table.waitFor({ timeout: 30_000 })
    expect(await table.locator('tbody tr').count()).toBe(50)
    await tool.getByRole('button', { name: '19950 more rows' }).click()
    await expect.poll(() => table.locator('tbody tr').count()).toBe(250)
    expect(await violations(page)).toEqual([])
    await shoot(page, 'workbench-table')
    await tool.getByRole('group', { name: 'Show as' }).getByRole('button', { name: 'JSON' }).click()
    await tool.locator('.json-tree').first().waitFor()
    expect(await page.locator('.json-line').count()).toBeLessThan(1000)
  })

  // The gateway passes on 8 MiB; escaping and the envelope of the message are part of it.
  it(
    'of 8 MB of text is shown in parts, and can be downloaded as a whole',
    { timeout: 90_000 },
    async () => {
      const { page, tool, run } = await open('Much')
      await tool.getByLabel('characters').fill('8000000')
      await run()
      const more = tool.getByRole('button', { name: '7980000 more characters' })
      await more.waitFor({ timeout: 30_000 })
      await tool.getByText('This text is long (8.0 MB). The beginning is shown.').waitFor()
      expect((await tool.locator('.said').textContent())?.length).toBe(20_000)
      expect(await violations(page)).toEqual([])
      await shoot(page, 'workbench-long-text')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        tool.getByRole('button', { name: 'Download' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('file.txt')
      expect((await stat(await download.path())).size).toBe(8_000_000)
      await more.click()
      await expect
        .poll(async () => (await tool.locator('.said').textContent())?.length)
        .toBe(220_000)
    },
  )

  it.each([9, 100])(
    'of %i MB is refused by the gateway; the page says why, and stays usable',
    { timeout: 90_000 },
    async (megabytes) => {
      const { page, tool, run } = await open('Much')
      await tool.getByLabel('characters').fill(String(megabytes * 1_000_000))
      await run()
      const why =
        megabytes < 20 ? 'answered more than 8388608 bytes' : 'The tool failed: internal error'
      await tool.getByText(why).first().waitFor({ timeout: 60_000 })
      expect(await violations(page)).toEqual([])
      await tool.getByLabel('characters').fill('5')
      await run()
      await tool.getByText('xxxxx', { exact: true }).waitFor()
    },
  )

  it('has pictures at their own size, and sound that plays', async () => {
    const { page, tool, run } = await open('Media')
    await run()
    const image = tool.locator('.picture img')
    await tool.getByText('10 × 10').waitFor()
    expect(await image.boundingBox()).toMatchObject({ width: 10, height: 10 })
    const audio = tool.locator('audio')
    await expect
      .poll(() => audio.evaluate((sound: HTMLAudioElement) => sound.duration))
      .toBeCloseTo(0.1)
    expect(await violations(page)).toEqual([])
  })
})

it('a request that was started again says so in a row of its trace', async () => {
  const { page, tool, run } = await open('Much')
  const request = {
    ...{ id: 'again', time: '2026-01-01T00:00:00.000Z', method: 'POST', path: '/mcp' },
    ...{ outcome: 'ok', status: 200, ms: 5, watched: true, components: ['markup'], retries: 2 },
    counts: { spans: 1, lines: 0, dropped: 0 },
    spans: [{ id: 's', kind: 'component', name: 'markup', start: 0, ms: 5 }],
  }
  await page.route('**/activity?request=*', (route) =>
    route.fulfill({ json: { requests: [request] } }),
  )
  await run()
  await tool.getByRole('tab', { name: 'Trace' }).click()
  const rows = tool.getByRole('list', { name: 'Trace' }).getByRole('listitem')
  await rows.getByText('started again 2 times').waitFor()
  // The trace is drawn again whenever the activity is read.
  await expect.poll(() => rows.count()).toBe(2)
  expect(await violations(page)).toEqual([])
})

describe('a snippet', () => {
  const HOSTILE = {
    prompt: `it's "quoted" $(touch /tmp/owned) \`id\` \\ %s !! \n\ttwo lines — ünïcödé 🦊 \u2028 </script>`,
    count: 3,
    tags: ["a'b", '$HOME'].map(() => 'abc'),
  }
  const root = fileURLToPath(new URL('../..', import.meta.url))

  async function snippets(): Promise<Record<string, string>> {
    const args = encodeURIComponent(JSON.stringify(HOSTILE))
    const page = await pages.open(`/#/tools/everything?args=${args}`)
    const tool = page.getByRole('article', { name: 'Every kind of argument' })
    await expect.poll(() => tool.getByLabel('count').inputValue()).toBe('3')
    await tool.getByRole('button', { name: 'Copy as' }).click()
    const panel = tool.getByRole('region', { name: 'The call as a snippet' })
    expect(await violations(page)).toEqual([])
    await shoot(page, 'copy-as')
    const texts: Record<string, string> = {}
    for (const name of ['curl', 'ftl call', 'MCP JSON', 'TypeScript', 'Python']) {
      await panel.getByLabel('Language').selectOption(name)
      texts[name] = (await panel.locator('pre').textContent()) ?? ''
    }
    return texts
  }

  it('in each language sends exactly the arguments of the form', async () => {
    const texts = await snippets()
    // Ignored by the linter and the formatter, which run beside the tests.
    const folder = await mkdtemp(join(root, '.ftl', 'snippets-'))
    // In the form the default is there, too.
    const expected = { ...HOSTILE, shade: 'light' }
    const said = (output: string): unknown => {
      const { content } = JSON.parse(output) as { content: { text: string }[] }
      return JSON.parse(content[0]?.text ?? '')
    }
    try {
      const run = async (file: string, args: string[]) =>
        (await execute(file, args, { cwd: root, timeout: 60_000 })).stdout
      expect(said(await run('sh', ['-c', texts['curl'] ?? '']))).toEqual(expected)
      const ftl = (texts['ftl call'] ?? '').replace(
        'npx ftl',
        `"${process.execPath}" cli/bin/ftl.mjs`,
      )
      expect(JSON.parse(await run('sh', ['-c', ftl]))).toEqual(expected)
      await writeFile(join(folder, 'program.ts'), texts['TypeScript'] ?? '')
      expect(said(await run(process.execPath, [join(folder, 'program.ts')]))).toEqual(expected)
      await writeFile(join(folder, 'program.py'), texts['Python'] ?? '')
      expect(said(await run('python3', [join(folder, 'program.py')]))).toEqual(expected)
      const response = await fetch(`${pages.world.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: texts['MCP JSON'] ?? '',
      })
      const { result } = (await response.json()) as { result: object }
      expect(said(JSON.stringify(result))).toEqual(expected)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
