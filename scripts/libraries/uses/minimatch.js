import { minimatch } from 'minimatch'

export default () => [
  minimatch('src/a/b.ts', 'src/**/*.{ts,tsx}'),
  minimatch.match(['a.js', 'b.ts', '.c.ts'], '!(*.js)'),
]
