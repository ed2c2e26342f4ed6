/** What the model of the storyboard says. */
import type { Script } from '../../../cli/src/demo-model/script.ts'

const REPORT = `# A report

Some *emphasis*, **strength**, ~~regret~~ and \`code\`; see [the guide](https://guide.example/a "Guide").

> A quote
> of two lines

1. first
   - nested
     - deeper
2. second

- [x] done
- [ ] to do

| tool | calls | p50 |
|:-----|------:|:---:|
| echo | 12 | 4 ms |
| draw | 3 | \`9 s\` |

\`\`\`ts
// Adds two numbers.
export function add(a: number, b: number): string {
  return \`\${a + b}\`
}
\`\`\`
`

const part = (name: string) =>
  `The ${name} part has a heading, **words** that matter, and a list.\n\n- one thing\n- another thing\n\n${'More words follow here. '.repeat(6)}\n\n`

export const SCRIPT: Script = [
  {
    when: 'paint',
    turns: [
      {
        calls: [
          { name: 'generate_image', arguments: { prompt: 'a lighthouse', aspect_ratio: '16:9' } },
          { name: 'calculator', arguments: { expression: '6*7' } },
        ],
      },
      { content: 'Here it is.' },
    ],
  },
  {
    when: 'long',
    turns: [
      {
        content: ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']
          .map(part)
          .join('')
          .repeat(4),
      },
    ],
  },
  { when: 'report', turns: [{ content: REPORT }] },
  { when: 'refuse', turns: [{ refusal: 'I cannot help with that.' }] },
  {
    when: 'think',
    turns: [
      {
        content: '<think>\nThey want **six** times seven.\n</think>\n\nIt begins and then',
        finish: 'length',
      },
    ],
  },
  { turns: [{ content: 'Good day.' }] },
]
