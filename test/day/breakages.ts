/** What an author breaks, and what the message must contain. */

export interface Breakage {
  name: string
  /** Changes the source of the tool `greet`, or another file of the application. */
  edit?: { file?: string; change: (text: string) => string }
  /** What the terminal of `ftl dev` must say. */
  dev?: RegExp
  /** What `ftl dev` prints at the end. @default 'serving the change' */
  until?: string
  /** @default 'npx ftl call greet name=Ada' */
  call?: string
  /** What the call must say. */
  says?: RegExp
  /** What the terminal of `ftl dev` must say of the call. */
  logged?: RegExp
  /** Typed before the file is mended; `ftl dev` must then serve by itself. */
  remedy?: string
}

const handler = (body: string, context = '') => ({
  change: (text: string) =>
    text.replace(
      /handler: .*/,
      `handler: async ({ name }${context && `, { ${context} }`}) => {\n    ${body}\n  },`,
    ),
})
const begin = (lines: string) => ({ change: (text: string) => `${lines}\n${text}` })
const manifest = (change: (text: string) => string) => ({ file: 'spin.toml', change })

const MAIN = 'tools/greet/src/main.ts'

export const BREAKAGES: readonly Breakage[] = [
  {
    name: 'a syntax error',
    edit: { change: (text) => text.replace('z.object({', 'z.object({{') },
    dev: /tools\/greet\/src\/main\.ts:8:\d+/,
    says: /greet does not build: [^]*main\.ts:8/,
  },
  {
    name: 'a package that is not installed',
    edit: begin("import slugify from 'slugify'\nslugify('a b')"),
    dev: /npm install (--save-dev )?slugify/,
    says: /slugify/,
    remedy: 'npm install --no-audit --no-fund slugify@1.6.6',
  },
  {
    name: 'a file that is not there',
    edit: begin("import { helper } from './helper.ts'\nhelper()"),
    dev: /helper\.ts/,
    says: /helper\.ts/,
  },
  {
    name: 'a module of Node',
    edit: begin("import { readFileSync } from 'node:fs'\nreadFileSync('a')"),
    dev: /node:fs[^]*files/,
    says: /node:fs/,
  },
  {
    name: 'an error at module scope',
    edit: begin("const settings = JSON.parse('{')\nexport const unused = settings"),
    dev: /main\.ts:1/,
    says: /main\.ts:1/,
  },
  {
    name: 'an endless loop at module scope',
    edit: begin('for (;;) {}'),
    dev: /20 s[^]*main\.ts|main\.ts[^]*20 s/,
    says: /20 s/,
  },
  {
    name: 'a misspelt type in a JSON Schema',
    edit: {
      change: (text) =>
        text.replace(
          /inputSchema: z[^]*?\}\),/,
          "inputSchema: { type: 'object', properties: { name: { type: 'strin' } } } as never,",
        ),
    },
    dev: /"type" must be one of[^]*"strin"/,
    says: /"strin"/,
  },
  {
    name: 'a type error, which a build does not look for',
    edit: handler('const length: string = name.length\n    return length'),
    call: 'npm run typecheck',
    says: /main\.ts\(\d+,\d+\)[^]*'number'[^]*'string'/,
  },
  {
    name: 'an error in the handler',
    edit: handler("throw new Error('the file is gone')"),
    says: /the file is gone[^]*tools\/greet\/src\/main\.ts:\d+/,
  },
  {
    name: 'an object that is thrown',
    edit: handler('throw { code: 42 }'),
    says: /42/,
  },
  {
    name: 'an endless loop in a call',
    edit: handler('for (;;) {}'),
    says: /JavaScript ran for more than 4000 ms[^]*\[component\.greet\.tool\.ftl\]/,
    logged: /4000 ms[^]*compute_limit_ms[^]*\[component\.greet\.tool\.ftl\]/,
  },
  {
    name: 'a promise that nothing settles',
    edit: handler('await new Promise(() => {})'),
    says: /waits for something that never happens/,
    logged: /a promise that is never settled/,
  },
  {
    name: 'all memory',
    edit: handler('const all = []\n    for (;;) all.push(new Uint8Array(1e6).fill(1))'),
    says: /out of memory[^]*main\.ts:\d+/,
  },
  {
    name: 'a host that is not allowed',
    edit: handler(
      "const response = await fetch('https://api.example.com/now')\n    return response.text()",
      'fetch',
    ),
    says: /does not allow requests to[^]*allowed_outbound_hosts = \["https:\/\/api\.example\.com"\]/,
  },
  {
    name: 'a variable that is not declared',
    edit: handler("return variables.require('api_key')", 'variables'),
    says: /\[component\.greet\.variables\][^]*api_key/,
  },
  {
    name: 'a store that is not granted',
    edit: handler("await kv.set('a', name)\n    return 'kept'", 'kv'),
    says: /key_value_stores = \["default"\]/,
  },
  {
    name: 'Buffer',
    edit: handler("return Buffer.from(name).toString('hex')"),
    dev: /Buffer/,
    says: /Buffer is not defined/,
  },
  {
    name: 'a result that is a Map',
    edit: handler('return new Map([[name, 1]]) as never'),
    says: /returned a Map/,
  },
  {
    name: 'a tool with another name',
    edit: { change: (text) => text.replace("name: 'greet'", "name: 'greets'") },
    says: /greets/,
  },
  {
    name: 'a wrong name in a call',
    call: 'npx ftl call gret name=Ada',
    says: /did you mean "?greet/i,
  },
  { name: 'a wrong argument', call: 'npx ftl call greet nmae=Ada', says: /did you mean "?name/i },
  { name: 'a missing argument', call: 'npx ftl call greet', says: /name/ },
  {
    name: 'an unknown key in spin.toml',
    edit: manifest((text) =>
      text.replace('[component.greet]\n', '[component.greet]\nroutes = 1\n'),
    ),
    dev: /routes[^]*is not a key[^]*allowed_outbound_hosts/,
    until: 'stays in use',
  },
  {
    name: 'a misspelt entry',
    edit: manifest((text) => text.replace('entry = "tools/greet', 'entri = "tools/greet')),
    dev: /did you mean "entry"/,
    until: 'stays in use',
  },
  {
    name: 'an entry that is not there',
    edit: manifest((text) => text.replace('tools/greet/src/main.ts"', 'tools/greet/src/mian.ts"')),
    dev: /\[component\.greet\.tool\.ftl\] entry: [^]*mian\.ts/,
    says: /entry: [^]*mian\.ts/,
  },
  {
    name: 'a syntax error in spin.toml',
    edit: manifest((text) => text.replace('[component.greet]\n', '[component.greet\n')),
    dev: /spin\.toml:\d+/,
    until: 'stays in use',
  },
  { name: 'a second npm run dev', call: 'npm run dev', says: /already served at http/ },
  { name: 'an address without a scheme', call: 'npx ftl tools --url localhost:1', says: /http/ },
]

export { MAIN }
