import MarkdownIt from 'markdown-it'

export default () =>
  new MarkdownIt({ linkify: true, typographer: true }).render(
    '# Title\n\n- *one*\n- [two](https://example.com)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nhttps://example.org "quoted"\n',
  )
