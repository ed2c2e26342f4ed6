import Fuse from 'fuse.js'

export default () =>
  new Fuse([{ title: 'Old Man’s War' }, { title: 'The Lock Artist' }], {
    keys: ['title'],
    includeScore: true,
  })
    .search('lok artst')
    .map(({ item, score }) => [item.title, score.toFixed(6)])
