/** The two guides that a new author follows, with what their sentences ask for. */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Guide, type Deed, type GuideOptions } from './guide.ts'

type Options = Omit<GuideOptions, 'deeds'>

const QUICK_START: readonly Deed[] = [
  {
    when: /Now open `tools\/greet\/src\/main.ts` and change the text that it returns/,
    act: async (guide) => {
      await guide.edit('tools/greet/src/main.ts', (text) => text.replace('Hello, ', 'Ahoy, '))
      const began = performance.now()
      await guide.saved()
      guide.transcript.figure('from save to "serving the change"', `${seconds(began)} s`)
      await guide.type('npx ftl call greet name=Ada')
      guide.transcript.check('the next call says so', guide.last.output === 'Ahoy, Ada!\n')
    },
  },
  {
    when: /The templates are `tool`, `tools`/,
    act: async (guide) => {
      const news = await guide.saved()
      guide.transcript.check('no error while the new tool is built', !/does not|error/i.test(news))
      await guide.type('npx ftl call weather name=Bob')
      await guide.stop()
    },
  },
]

/** @returns the folder of the application, which is no longer served. */
export async function playQuickStart(options: Options): Promise<string> {
  options.transcript.heading('QUICK START, as printed in docs/quick-start.md')
  const guide = new Guide({ ...options, deeds: QUICK_START })
  await guide.play('docs/quick-start.md')
  return guide.terminal.folder
}

const TUTORIAL: readonly Deed[] = [
  {
    when: /Start it with `node service.mjs`/,
    act: async ({ terminal }) => void terminal.start('node service.mjs'),
  },
  {
    when: /rename `.env`, read the message, and rename it back/,
    act: async (guide) => {
      const at = (name: string) => join(guide.terminal.folder, name)
      await rename(at('.env'), at('.env.away'))
      guide.transcript.act('renames .env')
      await guide.served?.says(/api_key/i)
      await guide.served?.says('stays in use')
      guide.served?.news()
      await guide.type('npx ftl call weather city=Oslo')
      await rename(at('.env.away'), at('.env'))
      guide.transcript.act('renames it back')
      await guide.saved()
    },
  },
  {
    when: /the log line `requested` appears only for the first call/,
    act: async (guide) => {
      await guide.saved()
      await guide.type('npx ftl call weather city=Bergen')
      await guide.type('npx ftl call weather city=Bergen')
      await guide.served?.says(/requested/)
      const count = guide.served?.news().match(/requested/g)?.length
      guide.transcript.check('the log line "requested" is there once', count === 1)
    },
  },
  {
    when: /Create a second component/,
    after: true,
    act: async (guide) => void (await guide.saved()),
  },
  {
    when: /Wait for `serving the change`, then call it/,
    act: async (guide) => void (await guide.saved()),
  },
  { when: /Stop `npm run dev`, and check the application/, act: (guide) => guide.stop() },
  { when: /`ftl up` serves what was built/, after: true, act: (guide) => guide.stop() },
]

export async function playTutorial(options: Options): Promise<void> {
  options.transcript.heading('TUTORIAL, as printed in docs/tutorial.md')
  const guide = new Guide({ ...options, deeds: TUTORIAL })
  await guide.play('docs/tutorial.md')
}

const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1)
