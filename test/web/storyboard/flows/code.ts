/** What authors of programs do. */
import { KEY } from '../keys.ts'
import type { Stage } from '../stage.ts'
import type { Flow } from '../walk.ts'

const FORECASTS = `const cities = ['Rome', 'Oslo', 'Quito']
const all = await Promise.all(cities.map((city) => tools.weather.forecast({ city })))
console.log('three cities')
await tools.weather.slow({ ms: 60 })
return { warmest: all[0].city, all }`

const REMOVES = `const before = await tools.weather.forecast({ city: 'Rome' })
return [before.city, await tools.weather.remove_city({ city: 'Oslo' })]`

/** Replaces the program. */
async function write(stage: Stage, program: string): Promise<void> {
  await stage.tabTo('textbox', 'Program')
  await stage.press('Control+a')
  await stage.paste(program)
  await stage.press('Escape')
}

export const CODE: readonly Flow[] = [
  {
    role: 'author',
    name: 'code',
    path: '/#/code',
    steps: [
      { name: 'example', go: (stage) => stage.tabTo('textbox', 'Program') },
      {
        name: 'error',
        async go(stage) {
          await write(stage, 'const list: number[] = []\n\nreturn list[0].toFixed(2)')
          await stage.press('Control+Enter')
          await stage.sees('TypeError')
          // Playwright's text for Firefox begins with an empty line.
          await stage.tabTo('button', /^Line [34],/)
        },
      },
      {
        name: 'at the error',
        async go(stage) {
          await stage.press('Enter')
          await stage.isAt('textbox', 'Program')
        },
      },
      {
        name: 'result',
        async go(stage) {
          await write(stage, FORECASTS)
          await stage.press('Control+Enter')
          await stage.sees('three cities')
        },
      },
      {
        name: 'call',
        async go(stage) {
          await stage.tabTo('group', 'Value of the result')
          for (let tabs = 0; tabs < 12; tabs++) {
            await stage.press('Tab')
            if (/forecast/.test(await stage.focused())) break
          }
          await stage.press('Enter')
          await stage.sees('Arguments')
        },
      },
      {
        name: 'programs',
        async go(stage) {
          await stage.backTo('button', 'Programs')
          await stage.press('Enter')
          await stage.sees('Drafts in this browser')
        },
      },
      {
        name: 'terminal',
        async go(stage) {
          await stage.press('Escape')
          await stage.isAt('button', 'Programs')
          await stage.tabTo('button', 'Terminal')
          await stage.press('Enter')
          await stage.sees('Save it as a tool')
        },
      },
    ],
  },
  {
    role: 'author',
    name: 'approval',
    path: '/#/code',
    gateway: 'guarded',
    steps: [
      {
        name: 'sign-in',
        async go(stage) {
          await stage.tabTo('textbox', 'API key')
        },
      },
      {
        name: 'question',
        async go(stage) {
          await stage.type(KEY)
          await stage.press('Enter')
          await write(stage, REMOVES)
          await stage.press('Control+Enter')
          await stage.finds('dialog', 'Approve this call?')
          await stage.sees('Oslo')
        },
      },
      {
        name: 'declined',
        async go(stage) {
          await stage.press('Escape')
          await stage.misses('Approve this call?')
          await stage.sees(/Failed|declined/)
        },
      },
    ],
  },
]
