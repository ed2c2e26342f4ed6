/** What people do who draw. */
import type { Stage } from '../stage.ts'
import type { Flow } from '../walk.ts'
import { goTo } from './everyone.ts'

/** Where there is no room for the column, it is a drawer. */
async function openColumn(stage: Stage, name: 'Pictures' | 'Conversations'): Promise<void> {
  const room = name === 'Pictures' ? 1_320 : 1_040
  if (stage.width >= room) return
  await stage.backTo('button', name)
  await stage.press('Enter')
  await stage.finds('dialog', name)
}

export const DRAW: readonly Flow[] = [
  {
    role: 'artist',
    name: 'draw',
    steps: [
      {
        name: 'welcome',
        async go(stage) {
          await stage.sees('You are talking to demo')
          await stage.finds('button', 'Draw at once')
          await stage.tabTo('textbox', 'Message')
        },
      },
      {
        name: 'chips',
        async go(stage) {
          await stage.tabTo('button', 'Draw at once')
          await stage.press('Enter')
          await stage.tabTo('button', /^Aspect ratio/)
          await stage.press('Enter')
          await stage.isAt('radio', '1:1')
          await stage.press('ArrowRight')
        },
      },
      {
        name: 'style',
        async go(stage) {
          await stage.press('Escape')
          await stage.isAt('button', /^Aspect ratio/)
          await stage.tabTo('button', /^Style/)
          await stage.press('Enter')
          await stage.tabTo('checkbox', 'Watercolor')
          await stage.press('Space')
        },
      },
      {
        name: 'preview',
        async go(stage) {
          await stage.press('Escape')
          await stage.backTo('textbox', 'Message')
          await stage.type('a lighthouse in the evening')
          await stage.press('Enter')
          await stage.finds('img', /^Preview/)
        },
      },
      {
        name: 'drawn',
        async go(stage) {
          await stage.finds('region', 'generate_image: completed')
        },
      },
      {
        name: 'viewer',
        async go(stage) {
          await openColumn(stage, 'Pictures')
          await stage.tabTo('button', /^a lighthouse in the evening.*seed/s)
          await stage.press('Enter')
          await stage.finds('dialog', 'a lighthouse in the evening')
          await stage.tabTo('button', 'Vary')
        },
      },
      {
        name: 'varied',
        async go(stage) {
          await stage.press('Enter')
          await stage.loses('dialog', 'a lighthouse in the evening')
          await stage.finds('region', 'generate_image is running')
        },
      },
      {
        name: 'compare',
        async go(stage) {
          await stage.loses('region', 'generate_image is running')
          await openColumn(stage, 'Pictures')
          await stage.tabTo('button', /^a lighthouse in the evening.*seed/s)
          await stage.press('Enter')
          await stage.tabTo('combobox', 'Compare with')
          await stage.press('ArrowDown')
          await stage.backTo('slider', /How much of the first/)
          for (let steps = 0; steps < 10; steps++) await stage.press('ArrowRight')
        },
      },
      {
        name: 'full screen',
        only: 'chromium',
        async go(stage) {
          await stage.tabTo('button', 'Full screen')
          await stage.press('Enter')
          await stage.isAt('slider', /How much of the first/)
        },
      },
      {
        name: 'gallery',
        async go(stage) {
          // A browser takes the first Escape for itself, unless a program presses it.
          for (let times = 0; times < 3; times++) await stage.press('Escape')
          await stage.loses('dialog', /./)
          await goTo(stage, 'Gallery')
          await stage.finds('article', 'a lighthouse in the evening')
        },
      },
    ],
  },
  {
    role: 'artist',
    name: 'conversations',
    steps: [
      {
        name: 'two',
        async go(stage) {
          await stage.sees('You are talking to demo')
          await stage.tabTo('textbox', 'Message')
          await stage.type('a harbour in winter')
          await stage.press('Enter')
          await stage.sees('Good day.')
          await stage.backTo('button', 'New')
          await stage.press('Enter')
          await stage.sees('What shall we make?')
          await stage.tabTo('textbox', 'Message')
          await stage.type('a lighthouse keeper')
          await stage.press('Enter')
          await stage.sees('Good day.')
          await openColumn(stage, 'Conversations')
          await stage.finds('button', /^a harbour in winter/)
        },
      },
      {
        name: 'search',
        async go(stage) {
          await stage.backTo('searchbox', 'Search conversations')
          await stage.type('winter')
          await stage.finds('button', /^a harbour in winter/)
        },
      },
      {
        name: 'more',
        async go(stage) {
          await stage.tabTo('button', 'More for “a harbour in winter”')
          await stage.press('Enter')
          await stage.finds('button', 'Rename')
        },
      },
      {
        name: 'renamed',
        async go(stage) {
          await stage.tabTo('button', 'Rename')
          await stage.press('Enter')
          await stage.isAt('textbox', 'Name of the conversation')
          await stage.type('Winter pictures')
          await stage.press('Enter')
          await stage.isAt('button', 'More for “Winter pictures”')
        },
      },
      {
        name: 'deleted',
        async go(stage) {
          await stage.press('Enter')
          await stage.tabTo('button', 'Delete')
          await stage.press('Enter')
          await stage.sees('Deleted “Winter pictures”.')
          await stage.isAt('searchbox', 'Search conversations')
        },
      },
      {
        name: 'undone',
        async go(stage) {
          await stage.tabTo('button', 'Undo')
          await stage.press('Enter')
          await stage.finds('button', /^Winter pictures/)
        },
      },
    ],
  },
]
