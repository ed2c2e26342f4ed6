/** What users of each role do. Add yours: a flow is a list of steps, and each step ends in a state that is looked at. */
import type { Flow } from './walk.ts'

export const FLOWS: readonly Flow[] = [
  {
    role: 'everyone',
    name: 'connect a client',
    path: '/#/connect',
    steps: [
      { name: 'start', go: (stage) => stage.sees('claude mcp add') },
      {
        name: 'python',
        async go(stage) {
          await stage.tabTo('tab', 'Claude Code')
          await stage.press('End')
          await stage.press('ArrowLeft')
          await stage.sees('from mcp import Client')
        },
      },
    ],
  },
  {
    role: 'everyone',
    name: 'palette',
    steps: [
      {
        name: 'open',
        async go(stage) {
          await stage.sees('Generate image')
          await stage.press('Control+k')
          await stage.sees(/\d+ found|type to find/)
        },
      },
      {
        name: 'tool',
        async go(stage) {
          await stage.type('calc')
          await stage.sees('calculator')
        },
      },
    ],
  },
  {
    role: 'author',
    name: 'api reference',
    path: '/docs',
    steps: [
      {
        name: 'search',
        async go(stage) {
          await stage.sees('List the tools')
          await stage.tabTo('searchbox', 'Search the API')
          await stage.type('calculator')
          await stage.tabTo('link', /calculator/i)
          await stage.press('Enter')
          await stage.sees('/tools/calculator')
        },
      },
      {
        name: 'try it',
        async go(stage) {
          await stage.tabTo('textbox', /expression/i)
          await stage.type('6*7')
          await stage.press('Enter')
          await stage.sees('42')
        },
      },
    ],
  },
]
