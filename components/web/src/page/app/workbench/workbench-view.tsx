/** The workbench of a tool's author: the list of tools, a form, and what came of the call. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { catalog, components, loadComponents, loadTools } from '../net/tools.ts'
import type { Route } from '../route.ts'
import { needsSignIn, session } from '../sign-in/session.ts'
import { useStore } from '../store.ts'
import { ToolList } from './list/tool-list.tsx'
import { loadOwners, owners } from './list/owners.ts'
import { ElicitationDialog } from './mcp/elicitation-dialog.tsx'
import { ToolPane } from './tool-pane.tsx'
import './workbench.css'

/** The tool that is open; none where the list is, on a phone. */
let last = ''
/** How far each tool is scrolled. */
const places = new Map<string, number>()

export function Workbench({ of, args }: Route) {
  const { tools, loading, problem } = useStore(catalog)
  const { list, problem: unknownHealth } = useStore(components)
  const componentOf = useStore(owners)
  const isShut = needsSignIn(useStore(session))
  useEffect(() => {
    // The user comes back to the tool that was open.
    if (of === '' && last !== '') location.replace(`#/tools/${encodeURIComponent(last)}`)
    void loadTools()
    void loadComponents()
    void loadOwners()
  }, [])
  useEffect(() => void (last = of), [of])
  const tool = tools.find(({ name }) => name === of)
  const main = useRef<HTMLDivElement>(null)
  const isThere = tool !== undefined
  useLayoutEffect(() => main.current?.scrollTo(0, places.get(of) ?? 0), [of, isThere])
  return (
    <div class="workbench" data-open={of !== '' || undefined}>
      <section class="bench-list" aria-label="Tools">
        <header class="bench-head">
          <h1 tabIndex={-1}>Tools</h1>
        </header>
        {problem !== '' && <p class="problem">{problem}</p>}
        {unknownHealth !== '' && <p class="problem">{unknownHealth}</p>}
        {loading && !isShut && <p class="faint">Looking…</p>}
        {tools.length > 0 && (
          <ToolList {...{ tools, componentOf, selected: of }} components={list} />
        )}
        {!loading && tools.length === 0 && problem === '' && (
          <p class="about">
            This gateway has no tools yet: name their components in the variable tool_components.
          </p>
        )}
      </section>
      <div
        class="bench-main"
        ref={main}
        onScroll={(event) => {
          const { scrollTop } = event.currentTarget
          places.set(of, scrollTop)
        }}
      >
        {of !== '' && (
          <a class="button small bench-back" href="#/tools">
            <Icon name="up" /> All tools
          </a>
        )}
        {tool && (
          <ToolPane
            key={tool.name}
            tool={tool}
            args={args}
            component={componentOf.get(tool.name)}
          />
        )}
        {!tool && of !== '' && !loading && !isShut && (
          <p class="problem">There is no tool "{of}".</p>
        )}
        {of === '' && (
          <div class="bench-empty">
            <Icon name="tools" />
            <p>Choose a tool to see its form, run it, and read what it answers.</p>
          </div>
        )}
      </div>
      <ElicitationDialog />
    </div>
  )
}
