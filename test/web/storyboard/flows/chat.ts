/** What people do who talk to the model. */
import type { Stage } from '../stage.ts'
import type { Flow } from '../walk.ts'

async function say(stage: Stage, words: string): Promise<void> {
  await stage.tabTo('textbox', 'Message')
  await stage.type(words)
  await stage.press('Enter')
}

export const CHAT: readonly Flow[] = [
  {
    role: 'artist',
    name: 'chat',
    steps: [
      {
        name: 'streaming',
        async go(stage) {
          await stage.sees('You are talking to demo')
          await say(stage, 'a long answer')
          await stage.sees('The third part')
        },
      },
      {
        name: 'new meanwhile',
        async go(stage) {
          await stage.backTo('button', 'New')
          await stage.press('Enter')
          await stage.sees('Still answering “a long answer”')
          await stage.sees('What shall we make?')
        },
      },
      {
        name: 'shown and stopped',
        async go(stage) {
          await stage.tabTo('button', 'Show')
          await stage.press('Enter')
          await stage.sees('The third part')
          await stage.tabTo('button', 'Stop')
          await stage.press('Enter')
          await stage.sees('Stopped.')
        },
      },
      {
        name: 'tools line',
        async go(stage) {
          await say(stage, 'paint a lighthouse')
          await stage.sees('Here it is.')
          await stage.sees(/^2 tools · /)
        },
      },
      {
        name: 'steps',
        async go(stage) {
          for (let tabs = 0; tabs < 40; tabs++) {
            if (/^2 tools/.test(await stage.focused())) break
            await stage.press('Shift+Tab')
          }
          await stage.press('Enter')
          await stage.sees('6*7')
        },
      },
      {
        name: 'edit',
        async go(stage) {
          await stage.backTo('button', 'Edit')
          await stage.press('Enter')
          await stage.isAt('textbox', 'New words')
        },
      },
      {
        name: 'resent',
        async go(stage) {
          await stage.press('Control+a')
          await stage.type('hello instead')
          await stage.press('Enter')
          await stage.sees('Good day.')
          await stage.sees(/messages were replaced/)
        },
      },
    ],
  },
  {
    role: 'artist',
    name: 'endings',
    steps: [
      {
        name: 'markdown',
        async go(stage) {
          await stage.sees('You are talking to demo')
          await say(stage, 'report')
          await stage.sees('Adds two numbers')
          await stage.finds('button', 'Regenerate')
        },
      },
      {
        name: 'refusal and cut',
        async go(stage) {
          await say(stage, 'refuse')
          await stage.sees('The model refused to do this.')
          await say(stage, 'think and cut')
          await stage.sees('The answer is cut off here')
        },
      },
      {
        name: 'suggestions',
        async go(stage) {
          await stage.tabTo('textbox', 'Message')
          await stage.type('/')
          await stage.finds('option', /calculator/)
        },
      },
      {
        name: 'form',
        async go(stage) {
          await stage.type('every')
          await stage.press('Tab')
          await stage.press('Enter')
          await stage.isAt('textbox', /prompt/i)
        },
      },
    ],
  },
]
