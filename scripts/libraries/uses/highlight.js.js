import hljs from 'highlight.js/lib/core'
import javascript from 'highlight.js/lib/languages/javascript'

export default () => {
  hljs.registerLanguage('javascript', javascript)
  return hljs.highlight('const a = "x" // why', { language: 'javascript' }).value
}
