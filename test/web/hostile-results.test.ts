// Results that attack the page: pictures that need more memory than there is, thousands of parts, files that are programs,
// and addresses that a user must not be led to.
import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { usePage } from './use-page.ts'

const pages = usePage()

/** A picture of one colour, a bit a pixel. It is small as a file. */
function png(width: number, height: number, depth = 1): string {
  const chunk = (name: string, body: Buffer) => {
    const content = Buffer.concat([Buffer.from(name), body])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(body.length, 0)
    ends.writeUInt32BE(crc32(content), 4)
    return Buffer.concat([ends.subarray(0, 4), content, ends.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = depth
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 })
  const start = Buffer.from('89504e470d0a1a0a', 'hex')
  const parts = [start, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat(parts).toString('base64')
}

const SMALL = png(8, 8)
const picture = (data: string, mimeType = 'image/png') => ({ type: 'image', data, mimeType })

interface Answered {
  page: Page
  tool: Locator
  /** Milliseconds: the longest time in which the page drew nothing. */
  longestPause: number
}

/** Calls the tool that answers with what it is given, and watches the page meanwhile. */
async function answered(args: Record<string, unknown>, settings = {}): Promise<Answered> {
  const page = await pages.open(
    `/#/tools/blocks?args=${encodeURIComponent(JSON.stringify(args))}`,
    settings,
  )
  const tool = page.getByRole('article', { name: 'Blocks' })
  await tool.getByRole('button', { name: 'Run', exact: true }).waitFor()
  await page.evaluate(() => {
    let before = performance.now()
    let longest = 0
    const watch = (now: number) => {
      longest = Math.max(longest, now - before)
      before = now
      Object.assign(globalThis, { longestPause: longest })
      requestAnimationFrame(watch)
    }
    requestAnimationFrame(watch)
  })
  await tool.getByRole('button', { name: 'Run', exact: true }).click()
  await tool.locator('.rich.result').waitFor({ timeout: 60_000 })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(0))))
  const longestPause = await page.evaluate(
    () => (globalThis as unknown as { longestPause: number }).longestPause,
  )
  console.log(`the page drew nothing for ${longestPause.toFixed(0)} ms`)
  return { page, tool, longestPause }
}

/** What the button gives the user. */
async function downloaded(page: Page, button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

describe('a picture', () => {
  it('of 30,000 × 30,000 pixels in a small file is not drawn, and can be downloaded', async () => {
    const bomb = png(30_000, 30_000)
    expect(bomb.length).toBeLessThan(500_000)
    const { page, tool } = await answered({ blocks: [picture(bomb), picture(SMALL)] })
    await tool.getByText('it has 30000 × 30000 pixels, which need too much memory').waitFor()
    await tool.getByText('8 × 8').waitFor()
    expect(await tool.locator('.rich img').count()).toBe(1)
    expect(await violations(page)).toEqual([])
    await shoot(page, 'hostile-bomb')
    const { name, bytes } = await downloaded(page, tool.getByRole('button', { name: /^Download/ }))
    expect(name).toBe('file.png')
    expect(bytes.toString('base64')).toBe(bomb)
  })

  it.each([
    ['an SVG with a script', 'image/svg+xml', 'pictures of this type can contain programs'],
    ['an SVG that is called a PNG', 'image/png', 'its bytes are not those of a PNG'],
    ['a page', 'text/html', 'its type is not one of a picture'],
  ])('that is %s does not run, and is no file that a browser opens', async (_, type, why) => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" onload="top.document.title=`owned`"><script>top.document.title=`owned`</script></svg>'
    const data = Buffer.from(svg).toString('base64')
    const { page, tool } = await answered({ blocks: [picture(data, type)] })
    await tool.getByText(why).waitFor()
    expect(await page.title()).not.toBe('owned')
    expect(await tool.locator('.rich img').count()).toBe(0)
    const { bytes } = await downloaded(page, tool.getByRole('button', { name: /^Download/ }))
    expect(bytes.toString()).toBe(svg)
    expect(await page.title()).not.toBe('owned')
  })

  it('with a wrong type is shown as what it is; one with a wrong header says that it cannot be shown', async () => {
    // No picture has nine bits a pixel.
    const wrong = png(8, 8, 9)
    const { tool } = await answered({
      blocks: [picture(SMALL, 'image/jpeg'), picture(wrong)],
    })
    await tool.getByText('8 × 8').waitFor()
    await tool.getByText('the browser cannot show this picture').waitFor()
    const source = await tool.locator('.rich img').first().getAttribute('src')
    expect(source?.slice(0, 22)).toBe('data:image/png;base64,')
  })

  it('that moves waits for a click, if the user wants less motion', async () => {
    const gif = Buffer.concat([
      Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff', 'latin1'),
      Buffer.from('!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00', 'latin1'),
      Buffer.from(',\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;', 'latin1'),
    ]).toString('base64')
    const blocks = [picture(gif, 'image/gif')]
    const { tool } = await answered({ blocks }, { reducedMotion: 'reduce' })
    await tool.getByText('This picture moves.').waitFor()
    expect(await tool.locator('.rich img').count()).toBe(0)
    await tool.getByRole('button', { name: 'Show it' }).click()
    await tool.getByText('1 × 1').waitFor()
    const other = await answered({ blocks }, { reducedMotion: 'no-preference' })
    await other.tool.getByText('1 × 1').waitFor()
  })

  it('of which there are 10,000 is in the document when it is asked for', async () => {
    const { page, tool } = await answered({ blocks: [picture(SMALL)], times: 10_000 })
    await tool.getByText('8 × 8').first().waitFor()
    expect(await tool.locator('.rich img').count()).toBe(40)
    await tool.getByRole('button', { name: '9960 more parts' }).click()
    await expect.poll(() => tool.locator('.rich img').count()).toBe(80)
    expect(await violations(page)).toEqual([])
  })
})

describe('an address', () => {
  const link = (uri: string, name: string) => ({ type: 'resource_link', uri, name })

  it('is a link only if it is https and public, and the page says why another is not', async () => {
    const { page, tool } = await answered({
      blocks: [
        link('https://public.example/a', 'Public'),
        link('javascript:document.title="owned"', 'Script'),
        link('file:///etc/passwd', 'File'),
        link('https://192.168.0.1/restart', 'Router'),
        link('https://0x7f.1/', 'Loopback'),
        link('https://[::ffff:10.0.0.1]/', 'Mapped'),
        link('https://metadata.internal/', 'Metadata'),
      ],
    })
    await tool.getByText('File: file:///etc/passwd').waitFor()
    const links = tool.locator('.rich a')
    expect(await links.allTextContents()).toEqual(['Public'])
    // The name of a link is the tool's; where it leads is not.
    await tool.getByText('public.example', { exact: true }).waitFor()
    expect(await tool.getByText('only https addresses are').count()).toBe(2)
    expect(await tool.getByText('it leads into a private network').count()).toBe(4)
    expect(await violations(page)).toEqual([])
    await shoot(page, 'hostile-addresses')
  })
})

describe('a file', () => {
  it('of a type that the page does not show can be downloaded', async () => {
    const blob = Buffer.from('%PDF-1.7 not really').toString('base64')
    const { page, tool } = await answered({
      blocks: [
        { type: 'resource', resource: { uri: 'report.pdf', mimeType: 'application/pdf', blob } },
      ],
    })
    await tool.getByText('report.pdf (application/pdf) is not shown').waitFor()
    const { name, bytes } = await downloaded(page, tool.getByRole('button', { name: /^Download/ }))
    expect(name).toBe('file.pdf')
    expect(bytes.toString()).toBe('%PDF-1.7 not really')
  })
})
