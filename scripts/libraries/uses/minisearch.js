import MiniSearch from 'minisearch'

export default () => {
  const search = new MiniSearch({ fields: ['title', 'text'], storeFields: ['title'] })
  search.addAll([
    { id: 1, title: 'Moby Dick', text: 'Call me Ishmael' },
    { id: 2, title: 'Zen', text: 'I can see by my watch' },
  ])
  return search.search('ishmal', { fuzzy: 0.2 }).map(({ id, title }) => [id, title])
}
