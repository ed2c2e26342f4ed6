import { produce } from 'immer'

export default () => {
  const before = { list: [1, 2], name: 'Ann' }
  const after = produce(before, (draft) => {
    draft.list.push(3)
  })
  return [before, after, Object.isFrozen(after.list)]
}
