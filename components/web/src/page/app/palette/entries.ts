/** What the palette finds: pages, actions, tools, conversations and jobs. */
import { newConversation, newest, switchConversation } from '../chat/tab-conversations.ts'
import type { IconName } from '../icons.tsx'
import { type KnownJob, newestFirst } from '../jobs/known-jobs.ts'
import type { Tool } from '../net/tools.ts'
import { keyOf, type Kind, type Offer, offerOf } from '../workbench/offers/offers.ts'
import { chooseServer, GATEWAY, type Server } from '../workbench/servers/known-servers.ts'
import { plainWords } from '../sign-in/challenge.ts'
import { theme, type Theme } from '../theme.ts'
import { VIEWS } from '../views.ts'
import type { Searchable } from './fuzzy.ts'

export interface Entry {
  id: string
  group: 'Pages' | 'Actions' | 'Tools' | 'Prompts' | 'Resources' | 'Conversations' | 'Jobs'
  icon: IconName
  title: string
  /** Beside the title. */
  note: string
  searchable: Searchable
  /** @returns a problem, to be shown. */
  open: () => Promise<string> | string
}

const NEWEST_JOBS = 50

export function pageEntries(): Entry[] {
  const parts: [string, string, IconName][] = [
    ['prompts', 'Prompts', 'chat'],
    ['resources', 'Resources', 'book'],
    ['server', 'MCP server: protocol, log, ping', 'connect'],
  ]
  const views = VIEWS.map(({ name, title, icon }) => [name, title, icon] as const)
  return [...views, ...parts].map(([name, title, icon]) =>
    make({ group: 'Pages', id: `page-${name}`, icon, title, open: () => go(`#/${name}`) }),
  )
}

const THEMES: [Theme, string, IconName][] = [
  ['light', 'Use the light theme', 'sun'],
  ['dark', 'Use the dark theme', 'moon'],
  ['system', "Use the system's theme", 'system'],
]

export function actionEntries(): Entry[] {
  return [
    make({
      group: 'Actions',
      id: 'new',
      icon: 'plus',
      title: 'New conversation',
      async open() {
        await newConversation()
        return go('#/chat')
      },
    }),
    ...THEMES.map(([choice, title, icon]) =>
      make({
        group: 'Actions',
        id: `theme-${choice}`,
        icon,
        title,
        open() {
          theme.set(() => ({ choice }))
          return ''
        },
      }),
    ),
  ]
}

export function toolEntries(tools: readonly Tool[]): Entry[] {
  return tools.map(({ name, title, description }) =>
    make({
      group: 'Tools',
      id: `tool-${name}`,
      icon: 'tools',
      title,
      note: name,
      more: description,
      open() {
        // These are the tools of this gateway.
        chooseServer(GATEWAY.id)
        return go(`#/tools/${encodeURIComponent(name)}`)
      },
    }),
  )
}

const OFFERED: [Kind, 'Prompts' | 'Resources', IconName][] = [
  ['prompts', 'Prompts', 'chat'],
  ['resources', 'Resources', 'book'],
  ['templates', 'Resources', 'book'],
]

/** Prompts and resources of the server that the workbench shows, as far as they were read. */
export function offerEntries(all: ReadonlyMap<string, Offer>, server: Server): Entry[] {
  return OFFERED.flatMap(([kind, group, icon]) =>
    (offerOf(all, server, kind)?.entries ?? []).map((entry) =>
      make({
        group,
        id: `${kind}-${keyOf(entry)}`,
        icon,
        title: plainWords(entry.title),
        note: plainWords(keyOf(entry)),
        more: entry.description,
        open: () =>
          go(`#/${group.toLowerCase()}/${encodeURIComponent(keyOf(entry).toWellFormed())}`),
      }),
    ),
  )
}

export function conversationEntries(): Entry[] {
  return newest().map(({ id, title }) =>
    make({
      group: 'Conversations',
      id: `chat-${id}`,
      icon: 'chat',
      title,
      async open() {
        if (!(await switchConversation(id))) return 'This conversation is open in another tab.'
        return go('#/chat')
      },
    }),
  )
}

export function jobEntries(jobs: ReadonlyMap<string, KnownJob>): Entry[] {
  return newestFirst(jobs)
    .slice(0, NEWEST_JOBS)
    .map(({ id, tool, state, arguments: args }) => {
      const prompt = args?.['prompt']
      return make({
        group: 'Jobs',
        id: `job-${id}`,
        icon: 'jobs',
        title: typeof prompt === 'string' ? prompt : tool,
        note: state.replaceAll('_', ' '),
        more: tool,
        open: () => go(`#/jobs/${encodeURIComponent(id)}`),
      })
    })
}

type Made = Omit<Entry, 'searchable' | 'note'> & { note?: string; more?: string }

function make({ note = '', more = '', ...entry }: Made): Entry {
  const text = `${entry.title} ${note}`.trim().toLowerCase()
  return { ...entry, note, searchable: { text, more: more.toLowerCase() } }
}

function go(hash: string): string {
  location.hash = hash
  return ''
}
