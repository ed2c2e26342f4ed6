import nlp from 'compromise'

export default () => {
  const text = nlp('She walked to the old house in London.')
  return [
    text.nouns().out('array'),
    text.verbs().toPresentTense().out('array'),
    text.places().out('array'),
  ]
}
