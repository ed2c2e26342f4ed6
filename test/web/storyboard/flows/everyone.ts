/** What belongs to no role: to connect a client, to find something, to read the API, and a gateway that is down. */
import type { Stage } from '../stage.ts'
import type { Flow } from '../walk.ts'

/** By the palette, from anywhere. */
export async function goTo(stage: Stage, view: string): Promise<void> {
  await stage.press('Control+k')
  await stage.sees('type to find')
  await stage.type(view)
  await stage.finds('option', new RegExp(`^${view}`))
  await stage.press('Enter')
  await stage.isAt('heading', view)
}

export const EVERYONE: readonly Flow[] = [
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
      {
        name: 'nothing found',
        async go(stage) {
          await stage.type('zzzz')
          await stage.sees('Nothing is named like “calczzzz”')
        },
      },
    ],
  },
  {
    role: 'everyone',
    name: 'settings',
    steps: [
      {
        name: 'open',
        async go(stage) {
          await stage.sees('Generate image')
          await stage.tabTo('button', 'Settings')
          await stage.press('Enter')
          await stage.finds('dialog', /Settings/)
        },
      },
      {
        name: 'closed',
        async go(stage) {
          await stage.press('Escape')
          await stage.isAt('button', 'Settings')
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
          // The answer has come into view.
          await stage.tabTo('button', 'Send')
        },
      },
    ],
  },
  {
    role: 'everyone',
    name: 'gateway is down',
    steps: [
      {
        name: 'banner',
        async go(stage) {
          await stage.sees('You are talking to demo')
          await stage.tabTo('textbox', 'Message')
          await stage.connect(false)
          await stage.type('a message that must not be lost')
          await stage.press('Enter')
          await stage.sees('The gateway cannot be reached.')
          await stage.holds('Message', 'a message that must not be lost')
        },
      },
      {
        name: 'elsewhere',
        async go(stage) {
          await goTo(stage, 'Tools')
          await stage.sees('The gateway cannot be reached.')
        },
      },
      {
        name: 'back',
        async go(stage) {
          await stage.connect(true)
          await stage.misses('The gateway cannot be reached.')
          await goTo(stage, 'Chat')
          await stage.tabTo('textbox', 'Message')
          await stage.press('Enter')
          await stage.sees('Good day.')
        },
      },
    ],
  },
]
