/** One app in the page: loaded, shown, asked about, taken away. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { changeKept } from '../kept-state.ts'
import type { Tool } from '../net/tools.ts'
import type { AppCall, Ask, Mode } from './app-call.ts'
import { type AppHost, openApp } from './host.ts'
import { type AppPage, readApp } from './read-app.ts'
import { saveFile } from './save-file.ts'
import { gatewayServer } from './server.ts'

export interface AppState {
  phase: 'loading' | 'shown' | 'failed'
  /** Why it failed. */
  problem: string
  page: AppPage | undefined
  height: number
  mode: Mode
  asks: readonly Ask[]
  log: readonly string[]
}

const FIRST: AppState = {
  phase: 'loading',
  problem: '',
  page: undefined,
  height: 160,
  mode: 'inline',
  asks: [],
  log: [],
}

/** Lines of an app that are kept. */
const MOST_LINES = 50

export function useApp(tool: Tool, call: AppCall, onClosed: () => void) {
  const [state, setState] = useState(FIRST)
  const [tries, setTries] = useState(0)
  const frame = useRef<HTMLIFrameElement>(null)
  const host = useRef<AppHost | undefined>(undefined)
  const latest = useRef(call)
  latest.current = call
  const change = (part: Partial<AppState>) => setState((before) => ({ ...before, ...part }))
  const uri = tool.app ?? ''

  useEffect(() => {
    let isGone = false
    const fail = (problem: string) => {
      if (isGone) return
      void host.current?.close()
      host.current = undefined
      change({ phase: 'failed', problem, asks: [], mode: 'inline' })
    }
    setState(FIRST)
    const server = gatewayServer(tool)
    void (async () => {
      try {
        const page = readApp(uri, await server.read(uri))
        if (isGone || !frame.current) return
        change({ page })
        const opened = await openApp({
          frame: frame.current,
          tool,
          page,
          server,
          call: latest.current,
          on: {
            started: () => change({ phase: 'shown' }),
            failed: fail,
            height: (height) => change({ height }),
            ask: (ask) => setState((before) => ({ ...before, asks: added(before.asks, ask) })),
            mode(mode) {
              change({ mode })
              return mode
            },
            log: (line) =>
              setState((before) => ({ ...before, log: [...before.log, line].slice(-MOST_LINES) })),
            closed: () => !isGone && onClosed(),
          },
        })
        if (isGone) return void opened.close()
        host.current = opened
        opened.update(latest.current)
      } catch (error) {
        fail(error instanceof Error ? error.message : 'The app could not be loaded.')
      }
    })()
    return () => {
      isGone = true
      void host.current?.close()
      host.current = undefined
    }
  }, [uri, tries])

  const { args, result, jobId, failure } = call
  useEffect(() => host.current?.update(call), [args, result, jobId, failure])

  return {
    state,
    frame,
    /** A new frame for each try. */
    tries,
    retry: () => setTries((count) => count + 1),
    setMode(mode: Mode) {
      change({ mode })
      host.current?.setMode(mode)
    },
    decide(ask: Ask, isAccepted: boolean) {
      setState((before) => ({ ...before, asks: before.asks.filter((other) => other !== ask) }))
      if (isAccepted) carryOut(ask)
      ask.decide(isAccepted)
    },
    close: async () => host.current?.close(),
  }
}

/** One question of each kind waits; a further one is declined, and a note replaces the one before. */
function added(asks: readonly Ask[], ask: Ask): readonly Ask[] {
  const same = asks.find(({ kind }) => kind === ask.kind)
  if (!same) return [...asks, ask]
  if (ask.kind === 'note') return asks.map((other) => (other === same ? ask : other))
  queueMicrotask(() => ask.decide(false))
  return asks
}

function carryOut(ask: Ask): void {
  if (ask.kind === 'link') window.open(ask.url, '_blank', 'noopener,noreferrer')
  else if (ask.kind === 'file') saveFile(ask.file)
  else {
    changeKept<string>('chat.draft', (before = '') =>
      [before.trim(), ask.text].filter((part) => part !== '').join('\n\n'),
    )
  }
}
