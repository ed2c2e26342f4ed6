/** Writes and runs programs that call tools. */
import './code.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { needsSignIn, session } from '../sign-in/session.ts'
import { useStore } from '../store.ts'
import { examplesOf } from './declared/examples.ts'
import { declared, loadDeclared, type ProgramTool } from './declared/program-tools.ts'
import { createEditor, type Editor } from './editor/create-editor.ts'
import { currentRun, isRunning, resumeRun, startRun, stopRun } from './run/current-run.ts'
import { keepText, lastText } from './run/drafts.ts'
import { NotThere } from './view/not-there.tsx'
import { Output } from './view/output.tsx'
import { ProgramsMenu } from './view/programs-menu.tsx'
import { TerminalMenu } from './view/terminal-menu.tsx'
import { ToolPanel } from './view/tool-panel.tsx'

export function CodeView() {
  const { state, problem, runner } = useStore(declared)
  const { state: signedIn, ...rest } = useStore(session)
  const isShut = needsSignIn({ state: signedIn, ...rest })
  useEffect(() => {
    if (!isShut) void loadDeclared()
  }, [isShut])
  return (
    <div class="code-view">
      {runner === undefined ? (
        <>
          <h1 tabIndex={-1}>Programs</h1>
          {state === 'loading' && !isShut && <p class="faint">Looking for tools…</p>}
          {problem !== '' && <p class="problem">{problem}</p>}
          {state === 'ready' && <NotThere />}
        </>
      ) : (
        <Workbench />
      )}
    </div>
  )
}

function Workbench() {
  const run = useStore(currentRun)
  const holder = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | undefined>(undefined)
  const [tool, setTool] = useState<ProgramTool>()
  const isOn = isRunning(run)
  const code = () => editor.current?.code() ?? ''
  const begin = () => {
    if (isRunning(currentRun.get())) return
    editor.current?.clearMarks()
    void startRun(code())
  }
  useEffect(() => {
    if (!holder.current) return
    const made = createEditor({
      parent: holder.current,
      code: lastText() ?? examplesOf(declared.get())[0]?.code ?? '',
      declared: () => declared.get(),
      onRun: begin,
      onChange: keepText,
      onTool: setTool,
    })
    editor.current = made
    resumeRun()
    return () => made.close()
  }, [])
  const error = run?.report?.error
  useEffect(() => {
    if (error?.line === undefined) return
    editor.current?.mark(error.line, error.column ?? 1, `${error.name}: ${error.message}`)
  }, [error])
  return (
    <>
      <header class="code-bar">
        <h1 tabIndex={-1}>Programs</h1>
        <span class="grow" />
        <ProgramsMenu
          code={code}
          onOpen={(text) => {
            editor.current?.setCode(text)
            editor.current?.focus()
          }}
        />
        <TerminalMenu code={code} />
        {isOn ? (
          <button type="button" class="run" onClick={() => void stopRun()}>
            <Icon name="stop" /> Stop
          </button>
        ) : (
          <button type="button" class="run primary" onClick={begin}>
            <Icon name="play" /> Run
          </button>
        )}
      </header>
      <div class="code-columns">
        <div class="editor-card">
          <div class="editor" ref={holder} />
          <ToolPanel tool={tool} />
        </div>
        <Output onPlace={(line, column) => editor.current?.goTo(line, column)} />
      </div>
    </>
  )
}
