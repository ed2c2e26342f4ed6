/** What operators do: Activity and Jobs. */
import type { Flow } from '../walk.ts'
import { goTo } from './everyone.ts'

export const OPERATE: readonly Flow[] = [
  {
    role: 'operator',
    name: 'activity',
    path: '/#/activity',
    steps: [
      {
        name: 'cards',
        async go(stage, others) {
          await stage.sees(/^live/)
          await others.call('echo', { message: 'hi' })
          await others.call('calculator', { expression: '1/' })
          await stage.finds('article', 'echo')
          await stage.finds('button', /calculator.*(tool error|refused)/)
        },
      },
      {
        name: 'filter',
        async go(stage) {
          await stage.tabTo('searchbox', 'Filter requests')
          await stage.type('echo')
          // Not every refused request: one that made the gateway ask all components for their tools is found, too.
          await stage.loses('button', /calculator.*(tool error|refused)/)
        },
      },
      {
        name: 'trace',
        async go(stage) {
          await stage.tabTo('button', /\d:\d\d.*echo/)
          await stage.press('Enter')
          await stage.finds('list', 'Trace')
        },
      },
      {
        name: 'logs',
        async go(stage) {
          await stage.tabTo('button', /^Logs/)
          await stage.press('Enter')
          await stage.sees('Nothing was printed for this request.')
        },
      },
      {
        name: 'nothing found',
        async go(stage) {
          await stage.backTo('searchbox', 'Filter requests')
          await stage.type('zzzz')
          await stage.sees('No request matches the filter.')
        },
      },
    ],
  },
  {
    role: 'operator',
    name: 'jobs',
    steps: [
      {
        name: 'none',
        async go(stage) {
          await stage.sees('Generate image')
          await goTo(stage, 'Jobs')
          await stage.sees('No jobs yet.')
        },
      },
      {
        name: 'running',
        async go(stage, others) {
          await others.draw(true)
          await goTo(stage, 'Chat')
          await stage.tabTo('textbox', 'Message')
          for (const words of ['a harbour', 'a windmill', 'a glass bird', 'a paper boat']) {
            await stage.type(`/generate_image ${words}`)
            await stage.press('Enter')
            await stage.sees(`/generate_image ${words}`)
          }
          await goTo(stage, 'Jobs')
          await stage.finds('article', /generate_image, working/)
        },
      },
      {
        name: 'cancelled',
        async go(stage) {
          await stage.tabTo('button', /^Cancel running/)
          await stage.press('Enter')
          await stage.finds('article', /generate_image, cancelled/)
          await stage.isAt('heading', 'Jobs')
        },
      },
      {
        name: 'filter',
        async go(stage, others) {
          await others.draw(false)
          await stage.tabTo('combobox', 'State')
          await stage.type('Fail')
          await stage.tabTo('button', 'Try again')
        },
      },
      {
        name: 'retried',
        async go(stage) {
          await stage.press('Enter')
          await stage.backTo('combobox', 'State')
          await stage.type('All')
          await stage.finds('article', /generate_image, (working|done)/)
        },
      },
      {
        name: 'removed',
        async go(stage) {
          await stage.backTo('button', /^Remove finished/)
          await stage.press('Enter')
          await stage.isAt('heading', 'Jobs')
          await stage.finds('button', 'Undo')
        },
      },
    ],
  },
]
