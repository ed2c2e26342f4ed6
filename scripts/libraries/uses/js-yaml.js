import { dump, load } from 'js-yaml'

export default () => [load('a: 1\nb:\n  - x\n  - 2026-02-27\n'), dump({ list: [1, 'two'] })]
