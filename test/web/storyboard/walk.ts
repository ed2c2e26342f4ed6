/** Walks the flows of a role: at each state axe finds nothing, nothing is wider than the screen, and a picture is taken. */
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violations } from '../axe.ts'
import { SCREENSHOTS } from '../browser.ts'
import { focusProblem } from './focus.ts'
import { createStage, type Stage } from './stage.ts'

export interface Step {
  /** In the name of its picture. */
  name: string
  /** @param others what happens at the gateway meanwhile. */
  /** The browser that can do it without a screen. @default all */
  only?: string
  go: (stage: Stage, others: Others) => Promise<void>
}

/** Other clients of the gateway, and of the server that draws. */
export interface Others {
  call(tool: string, args: object): Promise<void>
  /** Whether somebody else's job keeps the server that draws busy. */
  draw(isBusy: boolean): Promise<void>
}

export interface Flow {
  role: 'author' | 'operator' | 'artist' | 'everyone'
  name: string
  /** Where it starts. @default '/' */
  path?: string
  /** `guarded` asks for a key, and for the approval of some calls. @default 'open' */
  gateway?: 'open' | 'guarded'
  steps: readonly Step[]
}

export const SIZES = [
  { width: 390, height: 780 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const

const THEMES = ['light', 'dark'] as const

/**
 * @param name of the browser, in the names of the pictures.
 * @param comfyuiUrl of the simulator.
 */
export async function walk(
  page: Page,
  flow: Flow,
  name: string,
  comfyuiUrl: string,
): Promise<void> {
  const others = clientsOf(new URL(page.url()).origin, comfyuiUrl)
  try {
    await walkSteps(page, flow, name, others)
  } finally {
    await others.draw(false)
  }
}

async function walkSteps(page: Page, flow: Flow, name: string, others: Others): Promise<void> {
  const stage = createStage(page)
  for (const [index, step] of flow.steps.entries()) {
    if (step.only !== undefined && step.only !== name) continue
    const place = `${flow.role}-${flow.name}-${index + 1}-${step.name}-${stage.width}`
    await step.go(stage, others)
    expect(await focusProblem(page), place).toBe('')
    // The pictures first: some states are short.
    for (const theme of THEMES) {
      await setTheme(page, theme)
      const picture = `${place}-${theme}-${name}`.replaceAll(/[ ,]+/g, '-')
      const path = join(SCREENSHOTS, 'storyboard', `${picture}.png`)
      await mkdir(dirname(path), { recursive: true })
      await page.screenshot({ path })
    }
    expect(await overflow(page), place).toBeLessThanOrEqual(0)
    // It is dark now. What is not about colours is the same in both.
    expect(await violations(page), `${place}, dark`).toEqual([])
    await setTheme(page, 'light')
    expect(await violations(page, ['color-contrast']), `${place}, light`).toEqual([])
  }
}

function clientsOf(origin: string, comfyuiUrl: string): Others {
  return {
    async call(name, args) {
      const params = { name, arguments: args }
      const response = await fetch(`${origin}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'another-client/1.0' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      await response.text()
    },
    async draw(isBusy) {
      const body = JSON.stringify({ foreignPrompts: isBusy ? 1 : 0 })
      await fetch(`${comfyuiUrl}/simulator/faults`, { method: 'POST', body })
    },
  }
}

/** As a click on the theme would, without moving the focus. */
async function setTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate((choice) => {
    document.documentElement.dataset['theme'] = choice
    // Colours that change slowly are not those that are tested.
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
    }
  }, theme)
}

/** Pixels by which the page is wider than the screen. */
async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
}
