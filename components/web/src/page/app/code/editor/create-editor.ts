/** The editor of a program. Tab is not bound: it moves the focus out of the editor, as in every field. */
import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands'
import { typescriptLanguage } from '@codemirror/lang-javascript'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState, Prec } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import type { Declared, ProgramTool } from '../declared/program-tools.ts'
import { completeTools, programOf } from './complete.ts'
import { theme } from './theme.ts'
import { toolAt } from './tool-at.ts'
import { toolCard } from './tool-card.ts'

export interface EditorOptions {
  parent: HTMLElement
  code: string
  declared: () => Declared
  onRun: () => void
  onChange: (code: string) => void
  /** The tool whose name or arguments the cursor is in. */
  onTool: (tool: ProgramTool | undefined) => void
}

export interface Editor {
  code(): string
  setCode(code: string): void
  focus(): void
  /** Marks a place, counted from 1, until the program is changed. */
  mark(line: number, column: number, message: string): void
  /** Moves the cursor there. */
  goTo(line: number, column: number): void
  clearMarks(): void
  close(): void
}

export function createEditor(options: EditorOptions): Editor {
  const { parent, declared, onRun, onChange, onTool } = options
  const toolIn = (state: EditorState, pos: number) => toolAt(programOf(state, declared(), pos), pos)
  const run = () => {
    onRun()
    return true
  }
  // In a shadow root CodeMirror uses constructed style sheets, which the page's policy permits; elsewhere it makes elements.
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.code,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of('  '),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        typescriptLanguage,
        autocompletion({
          override: [completeTools(declared)],
          icons: false,
          maxRenderedOptions: 60,
        }),
        hoverTooltip((shown, pos) => {
          const found = toolIn(shown.state, pos)
          return found ? { pos, above: true, create: () => ({ dom: toolCard(found) }) } : null
        }),
        Prec.highest(
          keymap.of([
            { key: 'Mod-Enter', run },
            { key: 'Ctrl-Enter', run },
          ]),
        ),
        keymap.of([
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          { key: 'Mod-]', run: indentMore },
          { key: 'Mod-[', run: indentLess },
        ]),
        placeholder('return await tools.…'),
        EditorView.contentAttributes.of({
          'aria-label': 'Program',
          spellcheck: 'false',
          autocapitalize: 'off',
          autocorrect: 'off',
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) {
            onChange(update.state.doc.toString())
            queueMicrotask(clearMarks)
          }
          if (update.docChanged || update.selectionSet) {
            onTool(toolIn(update.state, update.state.selection.main.head))
          }
        }),
        EditorView.domEventHandlers({ beforeinput: replaceSelection }),
        ...theme,
      ],
    }),
  })
  let isMarked = false
  const clearMarks = () => {
    if (isMarked) view.dispatch(setDiagnostics(view.state, []))
    isMarked = false
  }
  const placeOf = (line: number, column: number) => {
    const { doc } = view.state
    const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines))
    return { at: Math.min(from + Math.max(0, column - 1), to), end: to }
  }
  return {
    code: () => view.state.doc.toString(),
    setCode(code) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: code } })
    },
    focus: () => view.focus(),
    mark(line, column, message) {
      const { at, end } = placeOf(line, column)
      const word = /^[\w$]+/.exec(view.state.doc.sliceString(at, end))?.[0].length ?? 1
      const diagnostic: Diagnostic = {
        from: at,
        to: Math.min(at + word, end),
        severity: 'error',
        message,
      }
      view.dispatch(setDiagnostics(view.state, [diagnostic]))
      isMarked = true
    },
    goTo(line, column) {
      const { at } = placeOf(line, column)
      view.dispatch({ selection: { anchor: at }, scrollIntoView: true })
      view.focus()
    },
    clearMarks,
    close: () => view.destroy(),
  }
}

/** Typing over a selection: the browser would keep its colours as an inline style, which the page's policy refuses. */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event
  const { main } = view.state.selection
  if (main.empty || isComposing || inputType !== 'insertText' || data === null) return false
  event.preventDefault()
  const insert = () =>
    view.state.update(view.state.replaceSelection(data), {
      userEvent: 'input.type',
      scrollIntoView: true,
    })
  const handlers = view.state.facet(EditorView.inputHandler)
  if (!handlers.some((handle) => handle(view, main.from, main.to, data, insert))) {
    view.dispatch(insert())
  }
  return true
}
