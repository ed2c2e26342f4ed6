/** Six tools with real libraries, in the application of the quick start. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mergeToml } from './manifest-lines.ts'
import type { Guide } from './guide.ts'
import type { Answer } from './terminal.ts'

const LIBRARIES =
  'papaparse@5.7.1 @types/papaparse@5.5.2 marked@18.2.1 pdf-lib@1.17.1 cheerio@1.2.0'

const PAGE = '<html><body><h2>Rain</h2><p>Much.</p><h2>Sun &amp; wind</h2></body></html>'

interface Call {
  line: (address: string) => string
  gives: RegExp
  answer?: Answer
}

const CALLS: Readonly<Record<string, Call>> = {
  csv: {
    line: () => "npx ftl call csv text='city,rain\nOslo,7\nBergen,12\n' column=rain",
    gives: /"?rows"?: ?2[^]*"?sum"?: ?19/,
  },
  markdown: {
    line: () => "npx ftl call markdown text='# Größe\n\nSome *text* with **Ærø**'",
    gives: /<h1>Größe<\/h1>\s*<p>Some <em>text<\/em> with <strong>Ærø<\/strong>/,
  },
  pdf: { line: () => `npx ftl call pdf lines='["one","two"]' --save out`, gives: /2 pages/ },
  scrape: {
    line: (address) => `npx ftl call scrape url=${address}/`,
    gives: /^Rain, Sun & wind$/m,
  },
  brew: { line: () => 'npx ftl call brew seconds=3', gives: /Coffee is ready/ },
  erase: {
    line: () => 'npx ftl call erase list=todo',
    answer: { to: 'Erase it', text: 'y' },
    gives: /^(?![^]*Fulfilling)[^]*Erased todo/,
  },
}

export async function playTools(guide: Guide): Promise<void> {
  const { transcript } = guide
  transcript.heading('SIX TOOLS, with libraries from npm')
  const server = createServer((_, response) => response.end(PAGE))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await guide.type(`npm install --no-audit --no-fund ${LIBRARIES}`)
    for (const name of Object.keys(CALLS)) {
      await guide.type(`npx ftl new ${name} --template ${name === 'brew' ? 'job' : 'tool'} --yes`)
      const source = new URL(`./application/${name}.ts`, import.meta.url)
      await guide.write(`tools/${name}/src/main.ts`, await readFile(source, 'utf8'))
      await guide.type(`rm tools/${name}/src/main.test.ts`)
    }
    await guide.edit('spin.toml', (text) =>
      mergeToml(text, `[component.scrape]\nallowed_outbound_hosts = ["${address}"]`),
    )
    await guide.type('npm run typecheck')
    await guide.serve('npm run dev')
    for (const [name, { line, gives, answer }] of Object.entries(CALLS)) {
      await guide.type(line(address), answer)
      transcript.check(`${name} gives ${String(gives)}`, gives.test(guide.last.output))
    }
    guide.served?.news()
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
