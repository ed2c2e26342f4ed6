import { create, all } from 'mathjs'

export default () => {
  const math = create(all)
  return [
    math.evaluate('sqrt(3^2 + 4^2)'),
    math.evaluate('5 inch to cm').toString(),
    math.derivative('x^2 + x', 'x').toString(),
    math.format(math.fraction(1, 3)),
  ]
}
