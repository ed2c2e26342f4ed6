/**
 * The views of the page. To hang in another, add an entry: its name is in the address (`#/name`), the rail shows it, and
 * its script, with the styles that it imports, is loaded when a user opens it.
 */
import type { FunctionComponent } from 'preact'
import { CreateView } from './create/create-view.tsx'
import type { IconName } from './icons.tsx'
import type { Route } from './route.ts'

export type ViewComponent = FunctionComponent<Route>

export interface ViewEntry {
  name: string
  /** Other names that addresses may have for it. */
  aliases?: readonly string[]
  title: string
  icon: IconName
  /** `text` is narrow, `full` is the whole window without margins. @default 'page' */
  width?: 'text' | 'page' | 'full'
  /** `view` is part of the first script: only for the view that the page opens with. */
  view?: ViewComponent
  load?: () => Promise<ViewComponent>
}

export const VIEWS: readonly ViewEntry[] = [
  {
    name: 'chat',
    aliases: ['create', ''],
    title: 'Chat',
    icon: 'chat',
    width: 'full',
    view: CreateView,
  },
  {
    name: 'gallery',
    title: 'Gallery',
    icon: 'gallery',
    load: async () => (await import('./views/gallery.tsx')).Gallery,
  },
  {
    name: 'tools',
    aliases: ['prompts', 'resources', 'server'],
    title: 'Tools',
    icon: 'tools',
    width: 'full',
    load: async () => (await import('./workbench/workbench-view.tsx')).Workbench,
  },
  {
    name: 'code',
    title: 'Programs',
    icon: 'code',
    width: 'full',
    load: async () => (await import('./code/code-view.tsx')).CodeView,
  },
  {
    name: 'jobs',
    title: 'Jobs',
    icon: 'jobs',
    load: async () => (await import('./views/jobs.tsx')).Jobs,
  },
  {
    name: 'activity',
    title: 'Activity',
    icon: 'activity',
    load: async () => (await import('./activity/activity-view.tsx')).ActivityView,
  },
  {
    name: 'api',
    aliases: ['docs'],
    title: 'API',
    icon: 'book',
    width: 'full',
    load: async () => (await import('./reference/reference-view.tsx')).ReferenceView,
  },
  {
    name: 'connect',
    title: 'Connect',
    icon: 'connect',
    load: async () => (await import('./connect/connect-view.tsx')).ConnectView,
  },
]

/** @returns the first view if no view has this name. */
export function viewNamed(name: string): ViewEntry {
  const [first] = VIEWS
  const found = VIEWS.find((entry) => entry.name === name || entry.aliases?.includes(name))
  return found ?? (first as ViewEntry)
}
