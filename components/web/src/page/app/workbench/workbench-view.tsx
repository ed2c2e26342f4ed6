/** The workbench of an author: what a server offers, a form for it, and what came of the request. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import type { Route } from '../route.ts'
import { useStore } from '../store.ts'
import { BenchList, type Part, PARTS } from './list/bench-list.tsx'
import { ElicitationDialog } from './mcp/elicitation-dialog.tsx'
import { Pane } from './pane.tsx'
import { chosenServer, servers } from './servers/known-servers.ts'
import './workbench.css'
import './offers/offers.css'

/** The tool that is open, by server; none where the list is, on a phone. */
const last = new Map<string, string>()
/** How far each pane is scrolled. */
const places = new Map<string, number>()

export function Workbench(route: Route) {
  const { view, of } = route
  const part: Part = PARTS.find((name) => name === view) ?? 'tools'
  const server = chosenServer(useStore(servers))
  const place = `${server.id} ${part} ${of}`
  useEffect(() => {
    // The user comes back to the tool that was open.
    const open = last.get(server.id) ?? ''
    if (part === 'tools' && of === '' && open !== '') {
      location.replace(`#/tools/${encodeURIComponent(open)}`)
    }
  }, [])
  useEffect(() => {
    if (part === 'tools') last.set(server.id, of)
  }, [part, of])
  const main = useRef<HTMLDivElement>(null)
  const restore = () => main.current?.scrollTo(0, places.get(place) ?? 0)
  useLayoutEffect(restore, [place])
  const isOpen = of !== '' || part === 'server'
  return (
    <div class="workbench" data-open={isOpen || undefined} data-part={part}>
      <BenchList part={part} selected={of} />
      <div
        class="bench-main"
        ref={main}
        onScroll={(event) => {
          const { scrollTop } = event.currentTarget
          places.set(place, scrollTop)
        }}
      >
        {isOpen && (
          <a class="button small bench-back" href={part === 'server' ? '#/tools' : `#/${part}`}>
            <Icon name="up" /> All {part === 'server' ? 'tools' : part}
          </a>
        )}
        <Pane {...{ part, server, route }} onShown={restore} />
      </div>
      <ElicitationDialog />
    </div>
  )
}
