import { marked } from 'marked'

export default () =>
  marked.parse('# Title\n\n- *one*\n- `two`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n')
