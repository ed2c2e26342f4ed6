/** Walks the flows of a role: at each state axe finds nothing, nothing is wider than the screen, and a picture is taken. */
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violations } from '../axe.ts'
import { SCREENSHOTS } from '../browser.ts'
import { createStage, type Stage } from './stage.ts'

export interface Step {
  /** In the name of its picture. */
  name: string
  go: (stage: Stage) => Promise<void>
}

export interface Flow {
  role: 'author' | 'operator' | 'artist' | 'everyone'
  name: string
  /** Where it starts. @default '/' */
  path?: string
  steps: readonly Step[]
}

export const SIZES = [
  { width: 390, height: 780 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const

const THEMES = ['light', 'dark'] as const

/** @param name of the browser, in the names of the pictures. */
export async function walk(page: Page, flow: Flow, name: string): Promise<void> {
  const stage = createStage(page)
  const { width } = page.viewportSize() ?? { width: 0 }
  for (const [index, step] of flow.steps.entries()) {
    await step.go(stage)
    for (const theme of THEMES) {
      await setTheme(page, theme)
      const state = `${flow.role}/${flow.name}: ${step.name}, ${width}, ${theme}, ${name}`
      expect(await violations(page), state).toEqual([])
      expect(await overflow(page), state).toBeLessThanOrEqual(0)
      const picture = `${flow.role}-${flow.name}-${index + 1}-${step.name}-${width}-${theme}-${name}`
      const path = join(SCREENSHOTS, 'storyboard', `${picture.replaceAll(' ', '-')}.png`)
      await mkdir(dirname(path), { recursive: true })
      await page.screenshot({ path })
    }
  }
}

/** As a click on the theme would, without moving the focus. */
async function setTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate((choice) => {
    document.documentElement.dataset['theme'] = choice
    // Colours that change slowly are not those that are tested.
    for (const animation of document.getAnimations()) animation.finish()
  }, theme)
}

/** Pixels by which the page is wider than the screen. */
async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
}
