/** Serves the client of `app-host-page.ts`, on an origin of its own. */
import { build } from 'esbuild'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { AppHost, ShowOptions } from './app-host-page.ts'
import { type PageOptions, usePage } from './use-page.ts'

const DOCUMENT = `<!doctype html><meta charset="utf-8"><title>A client</title>
<body style="margin:0"><iframe sandbox="allow-scripts" style="border:0;width:100%;height:300px"></iframe>
<script src="/host.js"></script>`

export interface Shown {
  page: Page
  view: FrameLocator
}

/** @param options of the application. */
export function useAppHost(options: PageOptions = {}) {
  const pages = usePage({ renderSeconds: 2, ...options })
  let url = ''
  const server = createServer(({ url: path }, response) => {
    response.setHeader('content-type', path === '/host.js' ? 'text/javascript' : 'text/html')
    response.end(path === '/host.js' ? script : DOCUMENT)
  })
  let script = ''
  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('./app-host-page.ts', import.meta.url))],
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      minify: true,
    })
    script = outputFiles[0]?.text ?? ''
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  return {
    pages,
    /** A client that lets the tool be called and shows its page. */
    async show(
      options: Omit<ShowOptions, 'url' | 'tool'> & { tool?: string },
      viewport = { width: 700, height: 800 },
    ): Promise<Shown> {
      const page = await pages.open('/app/none', { viewport })
      await page.goto(url)
      const wanted = { url: pages.world.url, tool: 'generate_image', ...options }
      // The call goes on for as long as the tool takes.
      await page.evaluate((given) => {
        const { appHost } = globalThis as unknown as { appHost: AppHost }
        appHost
          .show(given)
          .catch((error: Error) => console.error(`Content-Security? ${error.stack}`))
      }, wanted)
      return { page, view: page.frameLocator('iframe') }
    },
  }
}

/** What the host received from the page of the tool. */
export async function told(page: Page): Promise<Pick<AppHost, 'opened' | 'context' | 'sizes'>> {
  return page.evaluate(() => {
    const { opened, context, sizes } = (globalThis as unknown as { appHost: AppHost }).appHost
    return { opened, context, sizes }
  })
}

/** The pixels of a picture in the viewer. */
export async function pixelsIn(view: FrameLocator, index = 0) {
  const image = view.locator('.frame img:not(.preview)').nth(index)
  await image.waitFor()
  return image.evaluate(async (element) => {
    const picture = element as HTMLImageElement
    await picture.decode()
    const canvas = document.createElement('canvas')
    const { naturalWidth: width, naturalHeight: height } = picture
    Object.assign(canvas, { width, height })
    const context = canvas.getContext('2d')
    context?.drawImage(picture, 0, 0)
    const { data = [] } = context?.getImageData(0, 0, width, height) ?? {}
    const colours = new Set<string>()
    let sum = 0
    for (let at = 0; at < data.length; at += 4 * 97) {
      colours.add(`${data[at]},${data[at + 1]},${data[at + 2]}`)
      sum += (data[at] ?? 0) * (at % 8191)
    }
    return { width, height, colours: colours.size, sum }
  })
}
