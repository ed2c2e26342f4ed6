import natural from 'natural'

export default () => [
  new natural.WordTokenizer().tokenize('The quick, brown foxes'),
  natural.PorterStemmer.stem('foxes'),
  natural.JaroWinklerDistance('dixon', 'dicksonx', {}).toFixed(4),
]
