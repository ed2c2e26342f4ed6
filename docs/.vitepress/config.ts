/** The documentation as a site: `npm run docs`. Nothing is fetched while it is built or read. */
import { existsSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { repositoryLinks } from './repository-links.ts'

const guide = [
  {
    text: 'Begin',
    items: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Writing tools', link: '/writing-tools' },
      { text: 'Testing tools', link: '/testing' },
      { text: 'Jobs', link: '/jobs' },
      { text: 'Other languages', link: '/other-languages' },
    ],
  },
  {
    text: 'Image generation',
    items: [
      { text: 'ComfyUI', link: '/comfyui' },
      { text: 'Workflows as tools', link: '/workflows' },
      { text: 'Inside the chat', link: '/mcp-app' },
    ],
  },
  {
    text: 'Clients and APIs',
    items: [
      { text: 'Clients', link: '/clients' },
      { text: 'HTTP and OpenAI', link: '/http-api' },
      { text: 'ftl-client', link: '/client' },
      { text: 'Other MCP servers', link: '/remote' },
      { text: 'Chat', link: '/chat' },
      { text: 'Web UI', link: '/web' },
    ],
  },
  {
    text: 'Operation',
    items: [
      { text: 'Deploying', link: '/deploying' },
      { text: 'Operations', link: '/operations' },
      { text: 'Security', link: '/security' },
      { text: 'Differences from Spin', link: '/host-fidelity' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
      { text: 'Error messages for tool authors', link: '/author-errors' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Component contract', link: '/component-contract' },
      { text: 'Protocol', link: '/protocol' },
      { text: 'Extending the gateway', link: '/extending' },
      { text: 'Dependencies', link: '/dependencies' },
    ],
  },
]

/** Made by TypeDoc before the site is built; while one writes, the site is there without it. */
const generated = new URL('../api/typedoc-sidebar.json', import.meta.url)
const api = existsSync(generated)
  ? (JSON.parse(readFileSync(generated, 'utf8')) as { text: string; link: string }[])
  : []

export default defineConfig({
  title: 'ftl-mcp-gateway',
  description: 'MCP tools as WebAssembly components, on Spin',
  cleanUrls: false,
  head: [
    // Without one a browser asks for /favicon.ico.
    ['link', { rel: 'icon', href: 'data:,' }],
    // Our lines have up to 100 columns; at the theme's size 66 of them are seen beside the outline.
    ['style', {}, ".vp-doc div[class*='language-'] code { font-size: 12.5px; line-height: 1.65 }"],
  ],
  lastUpdated: false,
  outDir: '../dist/site',
  cacheDir: '../.ftl/vitepress',
  markdown: { config: repositoryLinks },
  // The index of the search is one piece, loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/quick-start' },
      { text: 'Clients', link: '/clients' },
      ...(api.length > 0 ? [{ text: 'API', link: '/api/' }] : []),
    ],
    sidebar: [...guide, ...(api.length > 0 ? [{ text: 'API', collapsed: true, items: api }] : [])],
    search: { provider: 'local' },
    outline: [2, 3],
  },
})
