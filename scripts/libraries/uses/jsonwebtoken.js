import jwt from 'jsonwebtoken'

export default () => {
  const token = jwt.sign({ name: 'Ann', iat: 1 }, 'secret')
  return [token, jwt.verify(token, 'secret')]
}
