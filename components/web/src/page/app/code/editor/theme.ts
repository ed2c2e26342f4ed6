/** The editor in the colours of the page. CodeMirror makes constructed style sheets of it, which the page's policy permits. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-1)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-2)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-3)' },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName)],
    color: 'var(--code-4)',
  },
  { tag: [tags.typeName, tags.className], color: 'var(--code-3)' },
  { tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic' },
])

const MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, monospace"

const parts = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: '0.875rem',
    color: 'var(--text)',
    backgroundColor: 'transparent',
  },
  // The frame around it shows the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: MONO, lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 1rem 0 0.5rem' },
  '.cm-cursor, .cm-dropCursor': { borderLeft: '2px solid var(--accent)' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--faint)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 0.5rem 0 0.75rem', minWidth: '2rem' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--sunken)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'var(--accent-soft)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--accent)',
  },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.cm-tooltip': {
    maxWidth: 'min(26rem, calc(100vw - 2rem))',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-small)',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: MONO,
    maxHeight: '16rem',
    borderRadius: 'var(--radius-small)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.1875rem 0.625rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--text)',
  },
  '.cm-completionMatchedText': {
    textDecoration: 'none',
    color: 'var(--accent)',
    fontWeight: '600',
  },
  '.cm-completionDetail': { fontStyle: 'normal', color: 'var(--faint)' },
  '.cm-completionIcon': { color: 'var(--faint)', opacity: '1' },
  '.tool-card': {
    display: 'grid',
    gap: '0.375rem',
    padding: '0.75rem',
    whiteSpace: 'normal',
    overflowWrap: 'anywhere',
    fontSize: '0.8125rem',
    lineHeight: '1.5',
  },
  '.tool-card p, .tool-card dl, .tool-card dd': { margin: '0' },
  '.tool-card code': { fontFamily: MONO, fontSize: '0.75rem' },
  '.tool-card .tool-name': { color: 'var(--code-4)' },
  '.tool-card .card-title': { fontWeight: '600' },
  '.tool-card .faint, .tool-card dd': { color: 'var(--faint)' },
  '.tool-card dd': { paddingLeft: '0.75rem' },
  '.cm-completionInfo .tool-card': { padding: '0' },
  '.cm-tooltip.cm-completionInfo': { padding: '0.75rem', fontSize: '0.8125rem' },
  '.cm-diagnostic': { padding: '0.5rem 0.75rem', fontFamily: 'inherit' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textDecorationSkipInk: 'none',
    backgroundColor: 'var(--bad-soft)',
  },
})

export const theme = [parts, syntaxHighlighting(colours)]
