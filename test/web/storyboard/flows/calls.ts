/** Calls of the workbench that are more than an answer: questions, progress, failures and large results. */
import type { Flow } from '../walk.ts'
import { run } from './workbench.ts'

export const CALLS: readonly Flow[] = [
  {
    role: 'author',
    name: 'a tool that asks',
    path: '/#/tools/asks',
    steps: [
      {
        name: 'question',
        async go(stage) {
          await stage.tabTo('button', 'Run')
          await stage.press('Enter')
          await stage.finds('dialog', 'The server asks')
        },
      },
      {
        name: 'problem',
        async go(stage) {
          await stage.tabTo('textbox', /size/i)
          await stage.type('12')
          await stage.press('Enter')
          await stage.sees('must be at most 9')
        },
      },
      {
        name: 'answered',
        async go(stage) {
          await stage.tabTo('textbox', /size/i)
          await stage.press('Control+a')
          await stage.type('7')
          await stage.press('Enter')
          await stage.sees('accept {"size":7}')
          await stage.isAt('button', 'Run')
        },
      },
    ],
  },
  {
    role: 'author',
    name: 'a tool that takes long',
    path: '/#/tools/steps',
    steps: [
      {
        name: 'progress',
        async go(stage) {
          await stage.tabTo('button', 'Run')
          await stage.press('Enter')
          await stage.sees(/Step \d+ · \d+ of 20/)
        },
      },
      {
        name: 'stopped',
        async go(stage) {
          await stage.press('Enter')
          await stage.finds('button', 'Stop')
          await stage.tabTo('button', 'Stop')
          await stage.press('Enter')
          await stage.sees('Stopped.')
        },
      },
    ],
  },
  {
    role: 'author',
    name: 'a tool that fails',
    path: '/#/tools/calculator',
    steps: [
      {
        name: 'failed',
        async go(stage) {
          await stage.tabTo('textbox', /expression/i)
          await stage.type('1/')
          await run(stage)
          await stage.sees('The tool says it failed')
          await stage.isAt('textbox', /expression/i)
        },
      },
    ],
  },
  {
    role: 'author',
    name: 'results',
    path: '/#/tools/much?args={"rows":60}',
    steps: [
      {
        name: 'table',
        async go(stage) {
          await stage.tabTo('textbox', /rows/i)
          await run(stage)
          await stage.sees('row 1')
        },
      },
      {
        name: 'tree',
        async go(stage) {
          await stage.tabTo('button', /JSON$/)
          await stage.sees('row 1')
        },
      },
    ],
  },
]
