import { closest, distance } from 'fastest-levenshtein'

export default () => [distance('kitten', 'sitting'), closest('gret', ['greet', 'echo'])]
