/** What authors of tools do in the workbench. */
import type { Stage } from '../stage.ts'
import type { Flow } from '../walk.ts'

export const run = (stage: Stage) => stage.press('Control+Enter')

export const WORKBENCH: readonly Flow[] = [
  {
    role: 'author',
    name: 'workbench',
    path: '/#/tools',
    steps: [
      { name: 'list', go: (stage) => stage.finds('heading', 'markup') },
      {
        name: 'search',
        async go(stage) {
          await stage.tabTo('searchbox', 'Search tools')
          await stage.type('every kind')
          await stage.misses('Generate image')
        },
      },
      {
        name: 'form',
        async go(stage) {
          await stage.press('ArrowDown')
          await stage.isAt('link', /Every kind of argument/)
          await stage.press('Enter')
          await stage.finds('article', 'Every kind of argument')
          await stage.tabTo('textbox', /^prompt/i)
        },
      },
      {
        name: 'problems',
        async go(stage) {
          await run(stage)
          await stage.sees(/arguments are wrong/)
          await stage.isAt('textbox', /^prompt/i)
        },
      },
      {
        name: 'result',
        async go(stage) {
          await stage.type('a lighthouse at dusk')
          await stage.tabTo('textbox', /^count/i)
          await stage.type('3')
          await stage.misses(/arguments? (is|are) wrong/)
          await run(stage)
          await stage.finds('tab', 'Raw')
          await stage.tabTo('tab', 'Result')
        },
      },
      {
        name: 'raw',
        async go(stage) {
          await stage.press('ArrowRight')
          await stage.isAt('tab', 'Raw')
          await stage.sees('tools/call')
        },
      },
      {
        name: 'trace',
        async go(stage) {
          await stage.press('ArrowRight')
          await stage.isAt('tab', 'Trace')
          await stage.finds('list', 'Trace')
        },
      },
      {
        name: 'logs',
        async go(stage) {
          await stage.press('ArrowRight')
          await stage.sees(/Nothing was printed for this request/)
        },
      },
      {
        name: 'copy as',
        async go(stage) {
          await stage.backTo('button', 'Copy as')
          await stage.press('Enter')
          await stage.tabTo('combobox', 'Language')
          await stage.press('ArrowDown')
          await stage.sees(/ftl call/)
        },
      },
      {
        name: 'saved arguments',
        async go(stage) {
          await stage.backTo('button', 'Copy as')
          await stage.press('Enter')
          await stage.backTo('button', 'Recent and saved')
          await stage.press('Enter')
          await stage.tabTo('textbox', 'Name to save these arguments under')
          await stage.type('dusk')
          await stage.press('Enter')
          await stage.finds('button', 'Forget dusk')
        },
      },
      {
        name: 'json',
        async go(stage) {
          await stage.backTo('button', 'Recent and saved')
          await stage.press('Enter')
          await stage.backTo('button', 'JSON')
          await stage.press('Enter')
          await stage.tabTo('textbox', /JSON/)
        },
      },
    ],
  },
  {
    role: 'author',
    name: 'every construct',
    path: '/#/tools/constructs',
    steps: [
      {
        name: 'form',
        async go(stage) {
          await stage.finds('article', 'Constructs of a schema')
          await stage.tabTo('textbox', /street/i)
        },
      },
      {
        name: 'problems',
        async go(stage) {
          await stage.type('x')
          await run(stage)
          await stage.sees(/arguments? (is|are) wrong/)
        },
      },
    ],
  },
]
